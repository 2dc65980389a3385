extension MonthNames {
    /// Names beyond those of feeds seen, from the Unicode CLDR as Foundation has it (`monthSymbols` and its short and standalone
    /// forms): Arabic, Basque, Belarusian, Bulgarian, Catalan, Croatian, Czech, Estonian, Finnish, Galician,
    /// Hebrew, Hindi, Icelandic, Latvian, Lithuanian, Macedonian, Serbian, Slovak, Slovene, Thai; with "in November" where
    /// a language writes it as one word.
    ///
    /// Left out: what English or another language above means by another month, as Croatian `listopad` (Polish and Czech
    /// November), and what two of these mean by different months (`srp`).
    static let fromCLDR = [
        """
        siječnja siječanj sij јануар јан јануари студзеня студзень сту яну led januára jaanuar jaan jaanuaril janvāris
        janvārī sausio sausis saus janúar urtarrila urt xaneiro xan tammi يناير ינואר ינו בינואר มกราคม มค जनवरी जन
        """,
        """
        veljače veljača velj фебруар феб лютага люты úno februára veebruar veebr veebruaril februāris februārī vasario
        vasaris vas febrúar otsaila ots febreiro helmi فبراير פברואר פבר בפברואר กุมภาพันธ์ กพ फ़रवरी फ़र
        """,
        """
        ožujka ožujak ožu сакавіка сакавік сак bře marec märts märtsil martā kovo kovas kov martxoa maalis مارس מרץ
        במרץ มีนาคม มีค मार्च
        """,
        """
        travnja travanj tra красавіка красавік кра dub apríla apríl aprill aprillil aprīlis aprīlī balandžio balandis
        bal apirila api huhti أبريل אפריל אפר באפריל เมษายน เมย अप्रैल
        """,
        """
        svibnja svibanj svi мај kvě mája maijs maijā gegužės gegužė geg maí maiatza touko مايو מאי במאי พฤษภาคม
        พค मई
        """,
        """
        lipnja lipanj јун јуни чэрвеня чэрвень чэр čvn júna junij juuni juunil jūnijs jūn jūnijā birželio birželis
        birž júní ekaina eka xuño kesä يونيو יוני ביוני มิถุนายน มิย जून
        """,
        """
        srpnja srpanj јул јули ліпеня ліпень ліп čvc júla julij juuli juulil jūlijs jūl jūlijā liepos liepa liep
        júlí uztaila uzt xullo xul heinä يوليو יולי ביולי กรกฎาคม กค जुलाई जुल
        """,
        """
        kolovoza kolovoz kol avgust avg жніўня жнівень жні augusta augustil augusts augustā rugpjūčio rugpjūtis
        rugp ágúst ágú abuztua abu ag elo أغسطس אוגוסט אוג באוגוסט สิงหาคม สค अगस्त अग
        """,
        """
        rujna rujan ruj septembar септембар сеп верасня верасень zář septembra septembril septembris septembrī
        rugsėjo rugsėjis rugs iraila ira syys سبتمبر ספטמבר ספט בספטמבר กันยายน กย सितंबर सित
        """,
        """
        oktobar октобар кастрычніка кастрычнік кас říj októbra oktoober oktoobril oktobris
        oktobrī spalio spalis spal urria urr loka أكتوبر אוקטובר אוק באוקטובר ตุลาคม ตค अक्तूबर अक्तू
        """,
        """
        studenoga studeni stu novembar новембар нов ное лістапада лістапад ліс novembra novembril novembris novembrī
        lapkričio lapkritis lapkr nóvember nóv azaroa aza marras نوفمبر נובמבר נוב בנובמבר พฤศจิกายน พย नवंबर नव
        """,
        """
        prosinca prosinac pro decembar децембар дец снежня снежань сне decembra detsember dets detsembril decembris
        decembrī gruodžio gruodis gruod abendua abe decembro joulu ديسمبر דצמבר דצמ בדצמבר ธันวาคม ธค दिसंबर दिस
        """,
    ]
}
