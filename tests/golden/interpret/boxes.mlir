// Non-maximum suppression: the best boxes that do not overlap a better one. The first of equal scores wins, boxes without area
// are all kept, boxes below the threshold are dropped. At the model stage, lowered, and as machine code.
// RUN: quern opt %s --emit=interpret --input "6x4xf32=0,0,1,1, 0,0,1,0.9, 0,0.5,1,1.5, 2,2,2,3, 2,2,2,3, 5,5,6,6" --input "2x6xf32=0.5,0.9,0.9,0.3,0.3,0.1, 1,0.2,inf,-1,0.5,0.25" | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=interpret --input "6x4xf32=0,0,1,1, 0,0,1,0.9, 0,0.5,1,1.5, 2,2,2,3, 2,2,2,3, 5,5,6,6" --input "2x6xf32=0.5,0.9,0.9,0.3,0.3,0.1, 1,0.2,inf,-1,0.5,0.25" | FileCheck %s --match-full-lines
// RUN: quern opt %s --lower-to-integer --emit=run --input "6x4xf32=0,0,1,1, 0,0,1,0.9, 0,0.5,1,1.5, 2,2,2,3, 2,2,2,3, 5,5,6,6" --input "2x6xf32=0.5,0.9,0.9,0.3,0.3,0.1, 1,0.2,inf,-1,0.5,0.25" | FileCheck %s --match-full-lines
// CHECK: dense<{{\[\[}}1, 2, 3, 4, -1], [2, 0, 4, 5, -1]]> : tensor<2x5xi32>
func.func @main(%boxes: tensor<6x4xf32>, %scores: tensor<2x6xf32>) -> tensor<2x5xi32> {
  %0 = "ml.non_maximum_suppression"(%boxes, %scores) {k = 5 : i64, score_threshold = 0.25 : f32, iou_threshold = 0.4 : f32} : (tensor<6x4xf32>, tensor<2x6xf32>) -> tensor<2x5xi32>
  return %0 : tensor<2x5xi32>
}
