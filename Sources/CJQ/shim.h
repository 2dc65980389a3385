#pragma once
#include <jv.h>
#include <jq.h>
#include "apart.h"
