//! Texts in both languages. This file has names and long texts. Short labels are in the code that
//! uses them.

use assay_vectors::Evidence;
use assay_vectors::errata::{Class, Ground, Language, Severity};

/// The words of a language.
#[derive(Clone, Copy)]
pub struct Words(pub Language);

impl Words {
    /// Returns the text in the current language.
    pub fn say(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// Returns the description of the page.
    pub fn about(self) -> &'static str {
        self.say(
            "Defects of the five specification documents, the worst first. Documents are named by the number that \
             their file names begin with; lines count from 1.",
            "五份规格文档中的缺陷，按严重程度排列。文档以文件名开头的编号称呼，行号从 1 开始。",
        )
    }

    /// Returns the explanation of an entry.
    pub fn guide(self) -> &'static str {
        self.say(
            "Readings are numbered. Where they differ in a result, three profiles choose among them: literal takes \
             the documents at their word, intended reads them so that they agree with themselves, sm90 follows \
             hardware. The witnesses were executed under each reading when this page was made, by a model and by an \
             independent oracle; one result stands where both agree.",
            "各种理解均有编号。若不同理解会改变结果，则由三个配置选择：literal 完全按字面，intended 以文档自身一致为准，\
             sm90 依据硬件。生成本页时，由模型与独立的参照实现在每种理解下执行用例；两者一致时只列一个结果。",
        )
    }

    /// Returns the text below the heading of the questions.
    pub fn questions(self) -> &'static str {
        self.say(
            "What only the owner can answer. First those where the documents, read so that they agree with \
             themselves, and hardware part.",
            "只有负责人才能回答的问题。文档自身一致的理解与硬件不同者排在最前。",
        )
    }

    /// Returns the word before the number of a reading.
    pub fn reading(self) -> &'static str {
        self.say("Reading", "理解")
    }

    /// Returns the word before settings of other errata.
    pub fn with(self) -> &'static str {
        self.say("with", "同时")
    }

    /// Returns the mark of a case or a text without its expected outcome.
    pub fn failed(self) -> &'static str {
        self.say("FAILED", "失败")
    }

    /// Returns the separator between parts of a list.
    pub fn comma(self) -> &'static str {
        self.say(", ", "、")
    }

    /// Returns the separator after a label.
    pub fn colon(self) -> &'static str {
        self.say(": ", "：")
    }

    /// Returns the name of a class.
    pub fn class(self, class: Class) -> &'static str {
        match class {
            Class::Sem => self.say("contradiction", "前后矛盾"),
            Class::Num => self.say("mathematics", "数学错误"),
            Class::Pseudo => self.say("pseudo-code", "伪代码缺陷"),
            Class::Enc => self.say("encoding", "编码矛盾"),
            Class::Ex => self.say("example", "例子有误"),
            Class::Gap => self.say("gap", "内容缺失"),
            Class::Amb => self.say("ambiguity", "存在歧义"),
            Class::Typo => self.say("wording", "文字有误"),
        }
    }

    /// Returns the name of a severity.
    pub fn severity(self, severity: Severity) -> &'static str {
        match severity {
            Severity::H => self.say(
                "High: changes results or makes an instruction unusable",
                "高：影响结果或使指令无法使用",
            ),
            Severity::M => {
                self.say("Medium: some modes, some forms or the assembler", "中：影响部分模式、形式或汇编器")
            }
            Severity::L => self.say("Low: cosmetic or harmless", "低：仅影响阅读或无害"),
        }
    }

    /// Returns the name of a ground.
    pub fn ground(self, ground: Ground) -> &'static str {
        match ground {
            Ground::Math => self.say("mathematics", "数学"),
            Ground::Ieee => "IEEE 754",
            Ground::Ptx => "PTX ISA",
            Ground::Sibling => self.say("a like rule elsewhere", "同类规则"),
            Ground::Prose => self.say("the prose", "正文"),
            Ground::Code => self.say("the pseudo-code", "伪代码"),
            Ground::Example => self.say("the examples", "例子"),
            Ground::Encoding => self.say("the encoding", "编码"),
            Ground::Literal => self.say("the words as they stand", "原文"),
            Ground::Sense => self.say("what must be meant", "合理推断"),
            Ground::C => self.say("the language C", "C 语言"),
            Ground::Family => self.say("the hardware family", "硬件系列"),
            Ground::Design => self.say("a free choice", "自由选择"),
        }
    }

    /// Returns the name of a kind of evidence.
    pub fn evidence(self, evidence: Evidence) -> &'static str {
        match evidence {
            Evidence::Text => self.say("text", "文档"),
            Evidence::Measured => self.say("measured", "实测"),
            Evidence::Documented => self.say("documented", "公开资料"),
            Evidence::Folded => self.say("folded", "汇编器折叠"),
            Evidence::Inferred => self.say("inferred", "推断"),
            Evidence::Design => self.say("design", "设计选择"),
        }
    }
}
