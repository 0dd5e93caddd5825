//! Labels and names in both languages.

use assay_vectors::Evidence;
use assay_vectors::errata::{Class, Ground, Language, Severity};

/// The words of one language.
pub struct Words {
    /// The language.
    pub language: Language,
    /// Its tag in HTML.
    pub tag: &'static str,
    /// Title of the page.
    pub title: &'static str,
    /// What the page is.
    pub about: &'static str,
    /// How to read an entry.
    pub guide: &'static str,
    /// Heading of the questions.
    pub questions: &'static str,
    /// What is under it.
    pub questions_about: &'static str,
    /// Heading of the counts.
    pub counts: &'static str,
    /// Heading of the table of contents.
    pub contents: &'static str,
    /// Sum of a row.
    pub total: &'static str,
    /// Where the defect is.
    pub place: &'static str,
    /// Before the number of a line.
    pub line: &'static str,
    /// Before numbers of lines.
    pub lines: &'static str,
    /// An erratum that touches every optype.
    pub every_optype: &'static str,
    /// What is wrong.
    pub problem: &'static str,
    /// What comes of it.
    pub consequence: &'static str,
    /// The list of readings.
    pub readings: &'static str,
    /// Before the number of a reading.
    pub reading: &'static str,
    /// How the project reads it.
    pub decision: &'static str,
    /// Said of the reading that a decision takes.
    pub taken: &'static str,
    /// What the recommended reading rests on.
    pub basis: &'static str,
    /// What shows it.
    pub witness: &'static str,
    /// Column of instructions.
    pub instruction: &'static str,
    /// Column of inputs.
    pub inputs: &'static str,
    /// Column of results, where there is no switch.
    pub result: &'static str,
    /// Before settings of other errata.
    pub with: &'static str,
    /// An effect without a write.
    pub nothing: &'static str,
    /// An answer that an erratum leaves open; its number follows.
    pub undefined: &'static str,
    /// No answer.
    pub unsupported: &'static str,
    /// Before the text that the assembler made of another.
    pub accepted: &'static str,
    /// Before the reason for which the assembler refused a text.
    pub refused: &'static str,
    /// An optype without a row so far.
    pub unknown: &'static str,
    /// A case or text that does not do what it should.
    pub failed: &'static str,
    /// What the documents should say.
    pub correction: &'static str,
    /// What to ask their owner.
    pub question: &'static str,
    /// Between parts of a list.
    pub comma: &'static str,
    /// After a label.
    pub colon: &'static str,
}

static ENGLISH: Words = Words {
    language: Language::English,
    tag: "en",
    title: "Errata of the specification",
    about: "Defects of the five specification documents, the worst first. Documents are named by the number that \
            their file names begin with; lines count from 1.",
    guide: "Readings are numbered. Where they differ in a result, three profiles choose among them: literal takes \
            the documents at their word, intended reads them so that they agree with themselves, sm90 follows \
            hardware. The witnesses were executed under each reading when this page was made, by a model and by an \
            independent oracle; one result stands where both agree.",
    questions: "Questions to the owner of the specification",
    questions_about: "What only the owner can answer. First those where the documents, read so that they agree with \
                      themselves, and hardware part.",
    counts: "By severity and class",
    contents: "Contents",
    total: "Total",
    place: "Where",
    line: "line",
    lines: "lines",
    every_optype: "every optype",
    problem: "Problem",
    consequence: "Consequence",
    readings: "Readings",
    reading: "Reading",
    decision: "Every profile",
    taken: "takes reading",
    basis: "Basis",
    witness: "Witness",
    instruction: "Instruction",
    inputs: "Inputs",
    result: "Result",
    with: "with",
    nothing: "writes nothing",
    undefined: "undefined by ",
    unsupported: "not implemented",
    accepted: "accepted as",
    refused: "refused",
    unknown: "the optype has no table so far",
    failed: "FAILED",
    correction: "Correction",
    question: "Question",
    comma: ", ",
    colon: ": ",
};

static CHINESE: Words = Words {
    language: Language::Chinese,
    tag: "zh",
    title: "规格文档勘误",
    about: "五份规格文档中的缺陷，按严重程度排列。文档以文件名开头的编号称呼，行号从 1 开始。",
    guide: "各种理解均有编号。若不同理解会改变结果，则由三个配置选择：literal 完全按字面，intended 以文档自身一致为准，\
            sm90 依据硬件。生成本页时，由模型与独立的参照实现在每种理解下执行用例；两者一致时只列一个结果。",
    questions: "需要规格负责人答复的问题",
    questions_about: "只有负责人才能回答的问题。文档自身一致的理解与硬件不同者排在最前。",
    counts: "按严重程度与类别统计",
    contents: "目录",
    total: "合计",
    place: "位置",
    line: "行",
    lines: "行",
    every_optype: "所有 optype",
    problem: "问题",
    consequence: "后果",
    readings: "可能的理解",
    reading: "理解",
    decision: "所有配置",
    taken: "采用理解",
    basis: "依据",
    witness: "例证",
    instruction: "指令",
    inputs: "输入",
    result: "结果",
    with: "同时",
    nothing: "不写任何内容",
    undefined: "未定义：",
    unsupported: "未实现",
    accepted: "接受为",
    refused: "拒绝",
    unknown: "该 optype 尚无表项",
    failed: "失败",
    correction: "修改建议",
    question: "提问",
    comma: "、",
    colon: "：",
};

impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Words {
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    fn choose(&self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// A class in words.
    pub fn class(&self, class: Class) -> &'static str {
        match class {
            Class::Sem => self.choose("contradiction", "前后矛盾"),
            Class::Num => self.choose("mathematics", "数学错误"),
            Class::Pseudo => self.choose("pseudo-code", "伪代码缺陷"),
            Class::Enc => self.choose("encoding", "编码矛盾"),
            Class::Ex => self.choose("example", "例子有误"),
            Class::Gap => self.choose("gap", "内容缺失"),
            Class::Amb => self.choose("ambiguity", "存在歧义"),
            Class::Typo => self.choose("wording", "文字有误"),
        }
    }

    /// A severity in words.
    pub fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::H => self.choose(
                "High: changes results or makes an instruction unusable",
                "高：影响结果或使指令无法使用",
            ),
            Severity::M => self
                .choose("Medium: some modes, some forms or the assembler", "中：影响部分模式、形式或汇编器"),
            Severity::L => self.choose("Low: cosmetic or harmless", "低：仅影响阅读或无害"),
        }
    }

    /// A basis in words.
    pub fn ground(&self, ground: Ground) -> &'static str {
        match ground {
            Ground::Math => self.choose("mathematics", "数学"),
            Ground::Ieee => "IEEE 754",
            Ground::Ptx => "PTX ISA",
            Ground::Sibling => self.choose("a like rule elsewhere", "同类规则"),
            Ground::Prose => self.choose("the prose", "正文"),
            Ground::Code => self.choose("the pseudo-code", "伪代码"),
            Ground::Example => self.choose("the examples", "例子"),
            Ground::Encoding => self.choose("the encoding", "编码"),
            Ground::Literal => self.choose("the words as they stand", "原文"),
            Ground::Sense => self.choose("what must be meant", "合理推断"),
            Ground::C => self.choose("the language C", "C 语言"),
            Ground::Family => self.choose("the hardware family", "硬件系列"),
            Ground::Design => self.choose("a free choice", "自由选择"),
        }
    }

    /// A kind of evidence in words.
    pub fn evidence(&self, evidence: Evidence) -> &'static str {
        match evidence {
            Evidence::Text => self.choose("text", "文档"),
            Evidence::Measured => self.choose("measured", "实测"),
            Evidence::Documented => self.choose("documented", "公开资料"),
            Evidence::Folded => self.choose("folded", "汇编器折叠"),
            Evidence::Inferred => self.choose("inferred", "推断"),
            Evidence::Design => self.choose("design", "设计选择"),
        }
    }
}
