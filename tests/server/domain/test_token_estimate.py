"""The token estimate beside o200k: never below it and at most 15 % above, in the kinds of text that answers hold."""

import random
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.text.token_estimate import estimate_tokens, piece_sums, tokens_of
from tests.support.clients.tokens import count_tokens

ROOT: Final = Path(__file__).resolve().parents[3]
GERMAN: Final = """\
Der jährliche Erholungsurlaub beträgt achtundzwanzig Arbeitstage. Wer im Laufe des Jahres eintritt, erhält für
jeden vollen Monat ein Zwölftel davon; Bruchteile werden aufgerundet. Der Antrag wird spätestens vier Wochen
vor dem ersten freien Tag bei der Teamleitung gestellt, die innerhalb von drei Werktagen antwortet. Lehnt sie
ihn ab, nennt sie schriftlich die betrieblichen Gründe und schlägt zwei andere Termine vor. Nicht genommene
Tage verfallen am 31. März des folgenden Jahres, sofern keine Krankheit den Urlaub verhindert hat. In der
Wartungswoche im August bleiben die Prüfstände geschlossen; in dieser Zeit soll jede Abteilung mit der halben
Besetzung auskommen. Für Reisen zu Kunden gilt die Reisekostenordnung: Bahnfahrten zweiter Klasse werden ohne
Rückfrage erstattet, Flüge nur, wenn die Strecke mehr als sechshundert Kilometer beträgt. Übernachtungen
dürfen bis zu 130 Euro kosten, in Großstädten bis zu 165 Euro. Belege werden eingescannt und innerhalb von
zehn Tagen hochgeladen. Wer einen Firmenwagen benutzt, führt ein Fahrtenbuch und meldet Schäden noch am selben
Tag. Die Messgeräte der Baureihe zweihundert werden einmal im Jahr kalibriert. Dazu wird der Sensor über einem
ruhigen Becken aufgehängt, und der angezeigte Pegel wird mit dem Lattenpegel verglichen. Weicht er um mehr als
zwei Millimeter ab, wird das Gerät eingeschickt. Während der Garantiezeit ist die Reparatur kostenlos, danach
schickt der Kundendienst einen Kostenvoranschlag."""
RUSSIAN: Final = """\
Ежегодный оплачиваемый отпуск составляет двадцать восемь рабочих дней. Сотрудник, который приступил к работе в
течение года, получает за каждый полный месяц двенадцатую часть этого срока. Заявление подаётся руководителю
группы не позднее чем за четыре недели до первого дня отпуска, и он отвечает в течение трёх дней. Если
руководитель отказывает, он письменно называет причины и предлагает две другие даты. Неиспользованные дни
пропадают тридцать первого марта следующего года, если отпуску не помешала болезнь. В августе, когда идёт
обслуживание испытательных стендов, каждый отдел должен обходиться половиной людей. Поездки к заказчикам
оплачиваются по правилам компании: билеты на поезд возмещаются без вопросов, а самолёт только тогда, когда
расстояние больше шестисот километров. Гостиница может стоить до ста тридцати евро за ночь, в больших городах
немного дороже. Чеки нужно отсканировать и загрузить в течение десяти дней. Тот, кто пользуется служебной
машиной, ведёт журнал поездок и сообщает о повреждениях в тот же день. Измерительные приборы двухсотой серии
калибруются раз в год. Для этого датчик подвешивают над спокойной водой и сравнивают показанный уровень с
рейкой. Если разница больше двух миллиметров, прибор отправляют на завод. В течение гарантийного срока ремонт
бесплатный, а потом служба поддержки присылает смету, и заказчик решает, чинить прибор или купить новый.
Данные со станций хранятся пять лет, доступ к ним имеют только инженеры проекта и сам заказчик."""
CHINESE: Final = """\
员工每年享有二十八个工作日的带薪年假。年中入职的员工，每满一个月可获得十二分之一的假期，不足一天
按一天计算。休假申请应当至少提前四个星期提交给部门经理，经理必须在三个工作日内答复。如果经理不同
意，他需要用书面形式说明原因，并提出另外两个日期。没有使用的假期在第二年三月三十一日失效，因病不
能休假的情况除外。八月份是测试设备的维护时间，每个部门只需要一半的人员上班。出差费用按照公司的规
定报销：二等座火车票可以直接报销，只有路程超过六百公里时才可以乘坐飞机。酒店住宿每晚不得超过一百
三十欧元，在大城市可以稍微高一些。所有发票都要扫描，并在十天之内上传到系统。使用公司汽车的员工要
填写行车记录，如果汽车受到损坏，当天就要报告。二百系列的测量仪器每年校准一次。校准时把传感器挂在
平静的水面上方，然后把显示的水位与水尺进行比较。如果误差超过两毫米，就把仪器寄回工厂。在保修期内
维修是免费的，保修期过后，客户服务部门会先发送报价，由客户决定是维修还是购买新的仪器。监测站的数
据保存五年，只有项目工程师和客户本人可以查看。新的软件版本每个季度发布一次，升级以前请先备份设置
，升级过程中不要关闭电源。如果遇到问题，请联系技术支持，并提供仪器的编号和错误信息。"""


def english() -> str:
    return "\n\n".join((ROOT / "docs" / name).read_text() for name in ("access.md", "oauth.md"))


def code() -> str:
    folder = ROOT / "layers" / "groundwire" / "groundwire" / "services"
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*.py"))[:12])


def table() -> str:
    random_numbers = random.Random(7)
    names = (
        "Sensor",
        "Delivery weeks",
        "List price EUR",
        "Net income",
        "Total assets",
        "Range",
        "SP-400-H",
        "0.02 m/s",
    )
    rows = (
        [random_numbers.choice(names), *(f"{random_numbers.uniform(0, 9_999):,.2f}" for _ in range(5))]
        for _ in range(120)
    )
    return "\n".join(" | ".join(row) for row in rows)


@pytest.mark.parametrize("kind", ["English", "German", "Russian", "Chinese", "code", "table"])
def test_the_estimate_is_never_below_the_count_and_at_most_fifteen_percent_above(kind: str) -> None:
    texts = {"English": english, "code": code, "table": table}
    fixed = {"German": GERMAN, "Russian": RUSSIAN, "Chinese": CHINESE}
    text = fixed[kind] if kind in fixed else texts[kind]()
    counted = count_tokens(text)
    assert counted <= estimate_tokens(text) <= 1.15 * counted


@given(st.text(max_size=300))
def test_any_text_has_an_estimate_and_more_text_never_a_smaller_one(text: str) -> None:
    assert 0 <= estimate_tokens(text) <= 5 * len(text) + 1
    assert estimate_tokens(f"{text} word") >= estimate_tokens(text)


@pytest.mark.parametrize("between", [" | ", "\t", " ", "|", "  ", ", ", ";"])
def test_tables_of_small_numbers_are_never_below_the_count_and_at_most_a_quarter_above(between: str) -> None:
    rows = ((row, row * 7 % 100, row * 13 % 10, row * 3 % 1_000) for row in range(60))
    text = "\n".join(between.join(map(str, row)) for row in rows)
    counted = count_tokens(text)
    assert counted <= estimate_tokens(text) <= 1.25 * counted


@pytest.mark.parametrize(
    "text",
    [
        "EMPLOYEES ARE ENTITLED TO TWENTY EIGHT DAYS OF PAID ANNUAL LEAVE NOTWITHSTANDING ANY OTHER PROVISION",
        "JEDER MITARBEITER HAT ANSPRUCH AUF ACHTUNDZWANZIG TAGE URLAUB HAFTUNGSAUSSCHLUSS UNTERNEHMENSGEGENSTAND",
        "КАЖДЫЙ СОТРУДНИК ПОЛУЧАЕТ ЕЖЕГОДНЫЙ ОПЛАЧИВАЕМЫЙ ОТПУСК ДВАДЦАТЬ ВОСЕМЬ РАБОЧИХ ДНЕЙ",
    ],
)
def test_text_in_capitals_is_never_below_the_count_and_at_most_half_above(text: str) -> None:
    counted = count_tokens(text)
    assert counted <= estimate_tokens(text) <= 1.5 * counted


LATIN: Final = {
    "Finnish": (
        "Jokaisella työntekijällä on oikeus kahdenkymmenenkahdeksan työpäivän palkalliseen vuosilomaan. "
        "Hakemus on jätettävä vähintään neljä viikkoa etukäteen osaston esimiehelle, joka vastaa kolmen "
        "työpäivän kuluessa. Käyttämättömät päivät vanhenevat maaliskuun lopussa."
    ),
    "Danish": (
        "Hver medarbejder har ret til otteogtyve arbejdsdages betalt ferie om året. Ansøgningen skal indgives"
        " til afdelingslederen mindst fire uger i forvejen, og lederen svarer inden for tre arbejdsdage."
    ),
    "Estonian": (
        "Igal töötajal on õigus kahekümne kaheksale tööpäevale tasustatud puhkust aastas. Avaldus tuleb "
        "esitada vähemalt neli nädalat varem osakonna juhatajale, kes vastab kolme tööpäeva jooksul."
    ),
    "Hungarian": (
        "Minden dolgozó évente huszonnyolc munkanap fizetett szabadságra jogosult. A kérelmet legalább négy "
        "héttel korábban kell benyújtani az osztályvezetőnek, aki három munkanapon belül válaszol. A fel nem "
        "használt napok elvesznek."
    ),
    "Lithuanian": (
        "Kiekvienas darbuotojas turi teisę į dvidešimt aštuonias darbo dienas mokamų atostogų per metus. "
        "Prašymas turi būti pateiktas skyriaus vadovui ne vėliau kaip prieš keturias savaites."
    ),
    "Polish": (
        "Każdemu pracownikowi przysługuje dwadzieścia osiem dni płatnego urlopu. Wniosek należy złożyć co "
        "najmniej cztery tygodnie wcześniej kierownikowi działu, który odpowiada w ciągu trzech dni "
        "roboczych. Niewykorzystane dni przepadają z końcem marca następnego roku."
    ),
    "Indonesian": (
        "Setiap karyawan berhak atas dua puluh delapan hari kerja cuti berbayar per tahun. Permohonan harus "
        "diajukan setidaknya empat minggu sebelumnya kepada kepala bagian, yang menjawab dalam tiga hari "
        "kerja."
    ),
    "Swahili": (
        "Kila mfanyakazi ana haki ya siku ishirini na nane za kazi za likizo yenye malipo kwa mwaka. Maombi "
        "lazima yawasilishwe angalau wiki nne kabla kwa mkuu wa idara, ambaye atajibu ndani ya siku tatu za "
        "kazi."
    ),
    "Somali": (
        "Shaqaale kasta wuxuu xaq u leeyahay sideed iyo labaatan maalmood oo shaqo oo fasax mushahar leh "
        "sanadkii. Codsiga waa in la gudbiyaa ugu yaraan afar toddobaad ka hor madaxa waaxda."
    ),
    "Swedish": (
        "Varje anställd har rätt till tjugoåtta arbetsdagars betald semester per år. Ansökan ska lämnas till "
        "avdelningschefen minst fyra veckor i förväg, och chefen svarar inom tre arbetsdagar."
    ),
    "Italian": (
        "Ogni dipendente ha diritto a ventotto giorni lavorativi di ferie retribuite all anno. La richiesta "
        "deve essere presentata almeno quattro settimane prima al responsabile del reparto, che risponde "
        "entro tre giorni lavorativi."
    ),
    "French": (
        "Chaque employé a droit à vingt-huit jours ouvrables de congés payés par an. La demande doit être "
        "déposée au moins quatre semaines à l'avance auprès du chef de service, qui répond dans un délai de "
        "trois jours ouvrables."
    ),
    "Turkish": (
        "Her çalışan yılda yirmi sekiz iş günü ücretli izin hakkına sahiptir. Başvuru en az dört hafta "
        "önceden bölüm yöneticisine yapılmalıdır ve yönetici üç iş günü içinde yanıt verir."
    ),
    "Czech": (
        "Každý zaměstnanec má nárok na dvacet osm pracovních dnů placené dovolené za rok. Žádost je třeba "
        "podat nejméně čtyři týdny předem vedoucímu oddělení, který odpoví do tří pracovních dnů."
    ),
}


@pytest.mark.parametrize("language", LATIN)
def test_prose_of_other_languages_in_latin_script_is_hardly_below_the_count(language: str) -> None:
    counted = count_tokens(LATIN[language])
    assert 0.95 * counted <= estimate_tokens(LATIN[language]) <= 1.7 * counted


SCRIPTS: Final = {
    "Ukrainian": (
        "Кожен працівник має право на двадцять вісім робочих днів оплачуваної відпустки на рік. Заяву потрібно подати "
        "щонайменше за чотири тижні керівнику відділу, який відповідає протягом трьох робочих днів."
    ),
    "Serbian": (
        "Сваки запослени има право на двадесет осам радних дана плаћеног одмора годишње. Захтев се подноси најмање "
        "четири недеље унапред руководиоцу одељења, који одговара у року од три дана."
    ),
    "Hindi": (
        "कंपनी के प्रत्येक कर्मचारी को वर्ष में अट्ठाईस कार्य दिवसों की छुट्टी मिलती है। अवकाश का आवेदन कम "
        "से कम चार सप्ताह पहले विभाग के प्रबंधक को देना होगा, और वह तीन दिन में उत्तर देगा। अप्रयुक्त छुट्टियाँ "
        "अगले वर्ष मार्च के अंत में समाप्त हो जाती हैं। मापने वाले यंत्रों की जाँच साल में एक बार की जाती "
        "है।"
    ),
    "Bengali": (
        "প্রত্যেক কর্মচারী বছরে আটাশ দিন ছুটি পান। ছুটির আবেদন অন্তত চার সপ্তাহ আগে বিভাগের ব্যবস্থাপকের "
        "কাছে জমা দিতে হবে। অব্যবহৃত ছুটি পরের বছরের মার্চের শেষে বাতিল হয়ে যায়। যন্ত্রগুলি বছরে একবার "
        "পরীক্ষা করা হয়।"
    ),
    "Tamil": (
        "ஒவ்வொரு பணியாளருக்கும் ஆண்டுக்கு இருபத்தெட்டு நாட்கள் விடுப்பு கிடைக்கும். விடுப்பு விண்ணப்பம் குறைந்தது "
        "நான்கு வாரங்களுக்கு முன் மேலாளரிடம் அளிக்கப்பட வேண்டும். கருவிகள் ஆண்டுக்கு ஒரு முறை சரிபார்க்கப்படுகின்ற"
        "ன."
    ),
    "Arabic": (
        "يحق لكل موظف إجازة مدفوعة الأجر مدتها ثمانية وعشرون يوم عمل في السنة. يقدم طلب الإجازة إلى مدير "
        "القسم قبل أربعة أسابيع على الأقل، ويجب أن يرد خلال ثلاثة أيام. تنتهي أيام الإجازة غير المستخدمة "
        "في نهاية شهر مارس من السنة التالية. تعاير أجهزة القياس مرة واحدة في السنة."
    ),
    "Persian": (
        "هر کارمند در سال بیست و هشت روز کاری مرخصی با حقوق دارد. درخواست مرخصی باید دست کم چهار هفته پیش "
        "به مدیر بخش داده شود. روزهای استفاده نشده در پایان اسفند سال بعد از بین می‌رود. دستگاه‌های اندازه‌گیری "
        "سالی یک بار بررسی می‌شوند."
    ),
    "Hebrew": (
        "כל עובד זכאי לעשרים ושמונה ימי חופשה בתשלום בשנה. בקשת החופשה תוגש למנהל המחלקה לפחות ארבעה שבועות "
        "מראש, והוא ישיב בתוך שלושה ימים. ימי חופשה שלא נוצלו פוקעים בסוף חודש מרץ של השנה הבאה. מכשירי המדידה "
        "מכוילים פעם בשנה."
    ),
    "Thai": (
        "พนักงานทุกคนมีสิทธิลาพักร้อนปีละยี่สิบแปดวันทำงาน ต้องยื่นคำขอต่อหัวหน้าแผนกล่วงหน้าอย่างน้อยสี่สัปดาห์ "
        "และหัวหน้าต้องตอบภายในสามวัน วันลาที่ไม่ได้ใช้จะหมดอายุในสิ้นเดือนมีนาคมของปีถัดไป เครื่องมือวัดต้องสอบเท"
        "ียบปีละครั้ง"
    ),
    "Greek": (
        "Κάθε εργαζόμενος δικαιούται είκοσι οκτώ εργάσιμες ημέρες άδειας τον χρόνο. Η αίτηση υποβάλλεται "
        "στον προϊστάμενο του τμήματος τουλάχιστον τέσσερις εβδομάδες πριν, και εκείνος απαντά μέσα σε τρεις "
        "ημέρες. Οι ημέρες άδειας που δεν χρησιμοποιήθηκαν λήγουν στο τέλος Μαρτίου του επόμενου έτους."
    ),
    "Korean": (
        "모든 직원은 일 년에 스물여덟 근무일의 유급 휴가를 받습니다. 휴가 신청은 적어도 사 주 전에 부서장에게 "
        "제출해야 하며, 부서장은 사흘 안에 답해야 합니다. 사용하지 않은 휴가는 이듬해 삼월 말에 사라집니다. "
        "측정 기기는 해마다 한 번 교정합니다."
    ),
    "Japanese": (
        "従業員は毎年二十八日の有給休暇を取得できます。休暇の申請は少なくとも四週間前に部長に提出し、部長は三日以内"
        "に回答しなければなりません。使わなかった休暇は翌年の三月末に失効します。測定機器は年に一度校正されます。ポ"
        "ンプとバルブのメンテナンスも行います。"
    ),
    "Vietnamese": (
        "Mỗi nhân viên được nghỉ phép hai mươi tám ngày làm việc mỗi năm. Đơn xin nghỉ phải nộp cho trưởng "
        "phòng ít nhất bốn tuần trước, và trưởng phòng phải trả lời trong ba ngày. Những ngày nghỉ chưa dùng "
        "sẽ hết hạn vào cuối tháng ba năm sau. Thiết bị đo được hiệu chuẩn mỗi năm một lần."
    ),
    "Amharic": (
        "እያንዳንዱ ሠራተኛ በዓመት ሃያ ስምንት የሥራ ቀናት ፈቃድ ያገኛል። የፈቃድ ጥያቄው ቢያንስ ከአራት ሳምንታት በፊት ለክፍሉ ኃላፊ መቅረብ አለበት። ጥቅም "
        "ላይ ያልዋሉ የእረፍት ቀናት በሚቀጥለው ዓመት መጋቢት መጨረሻ ላይ ያበቃሉ።"
    ),
    "Georgian": (
        "ყოველ თანამშრომელს წელიწადში ოცდარვა სამუშაო დღის შვებულება ეკუთვნის. განცხადება სულ მცირე ოთხი "
        "კვირით ადრე უნდა ჩაბარდეს. გამოუყენებელი დღეები იწურება მომავალი წლის მარტის ბოლოს."
    ),
    "Armenian": (
        "Յուրաքանչյուր աշխատակից տարեկան ունի քսանութ աշխատանքային օր արձակուրդ։ Դիմումը պետք է ներկայացվի "
        "առնվազն չորս շաբաթ առաջ։ Չօգտագործված օրերը կորչում են հաջորդ տարվա մարտի վերջին։"
    ),
    "Burmese": ("ဝန်ထမ်းတိုင်း တစ်နှစ်လျှင် အလုပ်ရက် နှစ်ဆယ့်ရှစ်ရက် ခွင့်ရသည်။ အသုံးမပြုသော ခွင့်ရက်များသည် နောက်နှစ် မတ်လကုန်တွင် ကုန်ဆုံးသည်။"),
    "Khmer": ("បុគ្គលិកម្នាក់ៗមានសិទ្ធិឈប់សម្រាកម្ភៃប្រាំបីថ្ងៃក្នុងមួយឆ្នាំ។ ថ្ងៃឈប់សម្រាកដែលមិនបានប្រើនឹងផុតកំណត់នៅចុងខែមីនា។"),
    "Telugu": ("ప్రతి ఉద్యోగికి సంవత్సరానికి ఇరవై ఎనిమిది పని దినాల సెలవు లభిస్తుంది. ఉపయోగించని సెలవులు వచ్చే ఏడాది మార్చి చివరిలో ముగుస్తాయి."),
    "Sinhala": ("සෑම සේවකයෙකුටම වසරකට වැඩ කරන දින විසිඅටක නිවාඩු හිමි වේ. භාවිත නොකළ නිවාඩු ලබන වසරේ මාර්තු අවසානයේ අවලංගු වේ."),
    "Cherokee": ("ᎠᏂᏴᏫᏯ ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎤᏂᎩᏍᏗ"),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_prose_of_other_scripts_is_never_below_the_count_and_rarely_half_above(script: str) -> None:
    counted = count_tokens(SCRIPTS[script])
    assert counted <= estimate_tokens(SCRIPTS[script]) <= 1.6 * counted


@pytest.mark.parametrize("first", [0x1200, 0x13A0, 0x2200, 0x2500, 0x1D400, 0x1F300])
def test_signs_and_letters_that_few_texts_have_are_never_below_the_count(first: int) -> None:
    chosen = random.Random(first)
    text = "".join(chr(first + chosen.randrange(80)) for _ in range(400))
    assert count_tokens(text) <= estimate_tokens(text)


@pytest.mark.parametrize("alphabet", ["!?#%&*+;:<>~|", "0123456789abcdef"])
def test_runs_of_different_signs_and_digits_are_never_below_the_count(alphabet: str) -> None:
    text = "".join(random.Random(2).choices(alphabet, k=2_000))
    assert count_tokens(text) <= estimate_tokens(text)


@given(st.text(st.characters(codec="ascii"), max_size=300))
def test_text_in_ascii_costs_the_same_beside_other_characters(text: str) -> None:
    sign = "\N{GRINNING FACE}"

    assert estimate_tokens(sign + text) == estimate_tokens(sign) + estimate_tokens(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_sums_of_texts_on_both_sides_of_a_space_add_up_to_those_of_the_whole(first: str, second: str) -> None:
    first, second = first.rstrip(), f"x{second}"

    whole = piece_sums(f"{first} {second}")

    assert whole == piece_sums(first) + piece_sums(second)
    assert tokens_of(whole) == estimate_tokens(f"{first} {second}")
