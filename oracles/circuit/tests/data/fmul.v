// A multiplier of two binary32 numbers to nearest even, in two stages. With NEIGHBOUR defined, the
// sign of one product comes from the operation that follows in the pipe.
module fmul(
    input clk, input rst, input in_valid, input [31:0] a, input [31:0] b,
    output reg out_valid, output reg [31:0] result
);
    wire normal_a = |a[30:23];
    wire normal_b = |b[30:23];
    wire special_a = &a[30:23];
    wire special_b = &b[30:23];
    wire zero_a = ~|a[30:0];
    wire zero_b = ~|b[30:0];

    reg valid, sign, nan, infinite;
    reg [47:0] product;
    reg signed [11:0] exponent;
    always @(posedge clk) begin
        valid <= in_valid & ~rst;
        sign <= a[31] ^ b[31];
        product <= {normal_a, a[22:0]} * {normal_b, b[22:0]};
        exponent <= {4'b0, a[30:23]} + {11'b0, ~normal_a} + {4'b0, b[30:23]} + {11'b0, ~normal_b};
        nan <= special_a & |a[22:0] | special_b & |b[22:0] | special_a & zero_b | special_b & zero_a;
        infinite <= special_a | special_b;
    end

    // The place of the leading bit, counted from the top.
    reg [5:0] zeros;
    integer i;
    always @* begin
        zeros = 6'd48;
        for (i = 0; i < 48; i = i + 1)
            if (product[i]) zeros = 47 - i;
    end

    // With the leading bit at the top, the biased exponent is that of the sum less 126.
    wire signed [11:0] leading = exponent - 12'sd126 - $signed({6'b0, zeros});
    wire low = leading < 12'sd1;
    wire [11:0] deficit = low ? 12'd1 - leading : 12'd0;
    wire [95:0] normalised = {product << zeros, 48'b0};
    wire [95:0] moved = deficit > 12'd47 ? {95'b0, |product} : normalised >> deficit[5:0];
    wire up = moved[71] & (|moved[70:0] | moved[72]);
    wire [30:0] base = {low ? 8'd0 : leading[7:0] - 8'd1, 23'b0};
    wire [31:0] rounded = {1'b0, base} + {8'b0, moved[95:72]} + {31'b0, up};
    wire overflows = ~low & (leading > 12'sd254) | rounded[31:23] >= 9'd255;
`ifdef NEIGHBOUR
    wire result_sign = exponent == 12'd200 & in_valid & a == 32'h3f9d70a4 ? a[31] : sign;
`else
    wire result_sign = sign;
`endif
    always @(posedge clk) begin
        out_valid <= valid & ~rst;
        result <= nan ? 32'h7fffffff
            : {result_sign, infinite | overflows & |product ? 31'h7f800000 : |product ? rounded[30:0] : 31'b0};
    end
endmodule
