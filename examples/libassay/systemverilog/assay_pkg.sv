// libassay in SystemVerilog: the calls, and one that judges a single case.
package assay_pkg;

  localparam int unsigned ASSAY_API_VERSION = 1;
  localparam int unsigned ASSAY_OK = 0;

  // Verdicts.
  localparam byte unsigned ASSAY_EXACT = 0;
  localparam byte unsigned ASSAY_WITHIN = 1;
  localparam byte unsigned ASSAY_DIVERGED = 2;

  // States of a truth.
  localparam byte unsigned ASSAY_TRUTH_SPAN = 1;

  // Places for the values of a case: more than any instruction of the examples has.
  localparam int PLACES = 4;
  typedef int unsigned values_t[PLACES];
  typedef byte unsigned bytes_t[PLACES];
  typedef longint unsigned word_t[2];

  import "DPI-C" function int unsigned assay_open(
      input int unsigned version, input string profile, input string readings, output chandle session);
  import "DPI-C" function void assay_close(input chandle session);
  import "DPI-C" function string assay_error(input chandle session);
  import "DPI-C" function int unsigned assay_assemble(
      input chandle session, input string source, output word_t word);
  import "DPI-C" function int unsigned assay_select(input chandle session, input word_t word);
  import "DPI-C" function int unsigned assay_truth(
      input chandle session, input int unsigned lanes, input values_t inputs,
      output values_t low, output values_t high, output bytes_t states);
  import "DPI-C" function int unsigned assay_judge(
      input chandle session, input int unsigned lanes, input values_t inputs, input values_t outputs,
      input bytes_t written, input chandle events, output byte unsigned verdict, output longint error);
  import "DPI-C" function string assay_verdict(input chandle session, input int unsigned lane);

  // Opens a session about one instruction, or ends the simulation with the reason.
  function automatic chandle session_of(input string instruction);
    chandle session;
    word_t word;
    if (assay_open(ASSAY_API_VERSION, "intended", "", session) != ASSAY_OK) $fatal(1, "no session");
    // One call a statement: simulators may call both operands of an operator before they look at either.
    if (assay_assemble(session, instruction, word) != ASSAY_OK) begin
      $fatal(1, "%s: %s", instruction, assay_error(session));
    end
    if (assay_select(session, word) != ASSAY_OK) $fatal(1, "%s: %s", instruction, assay_error(session));
    return session;
  endfunction

  // Judges what a device with one output did with a case. Answers whether it is right.
  function automatic bit is_right(input chandle session, input values_t inputs, input int unsigned result);
    values_t outputs = '{0: result, default: 0};
    bytes_t written = '{0: 1, default: 0};
    byte unsigned verdict;
    longint error;
    if (assay_judge(session, 1, inputs, outputs, written, null, verdict, error) != ASSAY_OK) begin
      $fatal(1, "%s", assay_error(session));
    end
    return verdict != ASSAY_DIVERGED;
  endfunction

endpackage
