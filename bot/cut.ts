/** At most so many UTF-16 units, with no half of a pair at the end. */
export const cut = (text: string, most: number): string => {
  const sound = text.toWellFormed();
  if (sound.length <= most) return sound;
  return `${sound.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
