/** A random generator that repeats for the same seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** One of them. @throws when there is none */
export const pickFrom = <One>(all: readonly One[], random: () => number): One => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('there is none to choose from');
  return one;
};
