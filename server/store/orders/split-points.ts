/** Splits a sum by positive weights; the parts add up to exactly the sum. */
export const splitPoints = (total: number, weights: readonly number[]): readonly number[] => {
  // Points times pieces can exceed the exact range of a JavaScript number.
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  let weighed = 0n;
  let given = 0n;
  return weights.map((weight) => {
    weighed += BigInt(weight);
    const part = (BigInt(total) * weighed) / whole - given;
    given += part;
    return Number(part);
  });
};
