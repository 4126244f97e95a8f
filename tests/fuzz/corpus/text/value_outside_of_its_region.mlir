"t.use"(%c) : (i8) -> ()
"t.region"() ({
^bb0(%c: i8):
}) : () -> ()
