/** 2015-01-01, Discord's epoch. https://docs.discord.com/developers/reference#snowflakes */
const epochMs = 1_420_070_400_000;

/** Ids in order of creation; the first 42 bits are the time. */
export const createSnowflakes = (now: () => number): (() => string) => {
  let last = 0n;
  return () => {
    const first = BigInt(Math.floor(now()) - epochMs) << 22n;
    last = first > last ? first : last + 1n;
    return String(last);
  };
};

export const snowflakeTime = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;

/** Oldest first. */
export const byAge = (left: string, right: string): number => {
  const difference = BigInt(left) - BigInt(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
