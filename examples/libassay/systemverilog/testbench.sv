// Holds the devices against the truth of assay, and shows that the faulty one is caught.
module testbench;
  import assay_pkg::*;

  localparam int CASES = 1000;

  logic [31:0] a, b, count, sum, wrong_sum;

  popcount popc (.value(a), .count(count));
  adder good (.a(a), .b(b), .sum(sum));
  adder #(.DROPS_CARRY(1)) faulty (.a(a), .b(b), .sum(wrong_sum));

  chandle popc_session, add_session;
  int popc_wrong, add_wrong, faulty_wrong;
  values_t inputs, low, high;
  bytes_t states;

  initial begin
    popc_session = session_of("POPC R0, R1");
    add_session = session_of("UIADD UR0, UR1, UR2");
    for (int n = 1; n <= CASES; n++) begin
      a = 32'h9e3779b9 * n;
      b = 32'h85ebca6b * n;
      #1;
      inputs = '{0: a, 1: b, default: 0};
      if (!is_right(popc_session, inputs, count)) popc_wrong++;
      if (!is_right(add_session, inputs, sum)) add_wrong++;
      if (!is_right(add_session, inputs, wrong_sum)) begin
        if (faulty_wrong == 0) begin
          $display("%h + %h = %h: %s", a, b, wrong_sum, assay_verdict(add_session, 0));
          if (assay_truth(add_session, 1, inputs, low, high, states) != ASSAY_OK) $fatal(1, "no truth");
          if (states[0] == ASSAY_TRUTH_SPAN) $display("  the truth is %h", low[0]);
        end
        faulty_wrong++;
      end
    end
    assay_close(popc_session);
    assay_close(add_session);
    $display("%0d cases: popcount %0d wrong, adder %0d wrong, faulty adder %0d wrong", CASES, popc_wrong, add_wrong, faulty_wrong);
    if (popc_wrong != 0 || add_wrong != 0 || faulty_wrong == 0) $fatal(1, "NOT as it should be");
    $display("all as it should be");
    $finish;
  end
endmodule
