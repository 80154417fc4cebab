/** Parts of a sum, each by its weight, which is positive; they add up to exactly the sum. */
export const splitPoints = (total: number, weights: readonly number[]): readonly number[] => {
  // Products of points and pieces pass what a JavaScript number holds exactly.
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
