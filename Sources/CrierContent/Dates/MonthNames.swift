import Foundation

/// Names of months as feeds write them: German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Russian,
/// Ukrainian, Bulgarian, Greek, Hungarian, Turkish, Swedish, Danish, Norwegian, Finnish, Romanian, Catalan, Indonesian, Chinese,
/// with the abbreviations and misspellings seen; ``fromCLDR`` adds more languages.
enum MonthNames {
    /// The month (1…12) that a word names, with or without its accents, in any case.
    static func month(_ word: String) -> Int? { byName[word] ?? byLetters[letters(of: word)] }

    /// By name, in lower case and without a point.
    static let byName: [String: Int] = {
        var numbers: [String: Int] = [:]
        for list in [fromCLDR, names] {
            for (index, names) in list.enumerated() {
                for name in names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
                    numbers[String(name)] = index + 1
                }
            }
        }
        return numbers
    }()

    /// By the bare letters of the name; those that name two months without their accents name none.
    private static let byLetters: [String: Int] = {
        var numbers: [String: Int] = [:]
        var doubtful: Set<String> = []
        for (name, month) in byName {
            let letters = letters(of: name)
            if numbers.updateValue(month, forKey: letters).map({ $0 != month }) == true { doubtful.insert(letters) }
        }
        return numbers.filter { !doubtful.contains($0.key) }
    }()

    /// Without accents, as capitals are written (`ΝΟΕΜΒΡΙΟΥ`, `HAZİRAN`), and without what ends an abbreviation in Hebrew
    /// and Hindi, and the Arabic comma.
    private static func letters(of word: String) -> String {
        var letters = ""
        for scalar in word.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "\u{300}"..."\u{36F}", "\u{5F3}", "\u{970}", "\u{60C}": break
            case "ı": letters.unicodeScalars.append("i")
            case "ς": letters.unicodeScalars.append("σ")
            default: letters.unicodeScalars.append(scalar)
            }
        }
        return letters
    }

    private static let names = [
        """
        jänner jän janvier janv enero ene gennaio gen janeiro januari stycznia styczeń sty ledna leden января январь
        янв січня січень січ януари ιανουαρίου ιανουάριος ιαν január ocak oca tammikuuta tammikuu ianuarie ian
        gener 一月
        """,
        """
        feber février fevrier févr fév febrero febbraio fevereiro fev februari lutego luty lut února únor
        февраля февраль фев февр лютого лютий лют февруари φεβρουαρίου φεβρουάριος φεβ február februári şubat
        şub helmikuuta helmikuu februarie febrer 二月
        """,
        """
        märz maerz mär mrz mars marzo março marco maart mrt marca marzec března březen марта март мар березня
        березень бер μαρτίου μάρτιος μαρ μάρ μαρτ μάρτ március márcians márc mart marts maaliskuuta maaliskuu
        martie març maret 三月
        """,
        """
        avril avr abril abr aprile kwietnia kwiecień kwi dubna duben апреля апрель апр квітня квітень кві април
        απριλίου απρίλιος απρ április ápr nisan nis huhtikuuta huhtikuu aprilie 四月
        """,
        """
        mai mayo maggio mag maio mei maja maj května květen мая май травня травень тра μαΐου μάιος μάι μαι μαϊ
        μαΐ május máujus máj mayıs toukokuuta toukokuu maig 五月
        """,
        """
        juni juin junio giugno giu junho czerwca czerwiec cze června červen июня июнь июн червня червень чер юни
        ιουνίου ιούνιος ιούν ιουν ιον június jún haziran haz kesäkuuta kesäkuu iunie iun juny 六月
        """,
        """
        juli juillet juil julio luglio lug julho lipca lipiec lip července červenec июля июль июл липня липень
        лип юли ιουλίου ιούλιος ιούλ ιουλ ιολ július júl temmuz tem heinäkuuta heinäkuu iulie iul juliol 七月
        """,
        """
        août aout agosto ago augustus sierpnia sierpień sie srpna srpen августа август авг серпня серпень сер
        αυγούστου αύγουστος αύγ αυγ augusztus ağustos ağu augusti elokuuta elokuu agost agustus agt 八月
        """,
        """
        september septembre septiembre setiembre settembre set setembro września wrzesień wrz září сентября
        сентябрь сен сент вересня вересень вер септември σεπτεμβρίου σεπτέμβριος σεπτ σεπ szeptember szept eylül
        eyl syyskuuta syyskuu septembrie setembre 九月
        """,
        """
        oktober okt octobre octubre ottobre ott outubro out października październik paź října říjen октября
        октябрь окт жовтня жовтень жов октомври οκτωβρίου οκτώβριος οκτ október ekim eki lokakuuta lokakuu
        octombrie 十月
        """,
        """
        novembre noviembre novembro listopada listopad lis listopadu ноября ноябрь ноя нояб листопада листопад
        лис ноември νοεμβρίου νοέμβριος νοέμ νοεμ νοέ νοε kasım kas marraskuuta marraskuu noiembrie noi 十一月
        """,
        """
        dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia grudzień gru prosince
        prosinec декабря декабрь дек грудня грудень гру декември δεκεμβρίου δεκέμβριος δεκ aralık ara des
        desember joulukuuta joulukuu decembrie desembre 十二月
        """,
    ]
}
