/** Runs all of it, `width` at a time: what waits for a connection of the database for over 5 s fails. */
export const inParallel = async (count: number, width: number, work: (index: number) => Promise<void>) => {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
};
