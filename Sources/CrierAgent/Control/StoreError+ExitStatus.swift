import CrierStore

extension StoreError {
    /// What a command ends with for it (sysexits.h), be it the agent's that has made its run.
    public var exitStatus: Int32 {
        switch kind {
        case .locked, .busy, .overtaken: 75
        case .corrupt, .noDatabase, .foreign, .newer: 65
        case .exists: 73
        case .readOnly, .diskFull, .cannotOpen, .invalidRequest, .failed: 74
        }
    }
}
