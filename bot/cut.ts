/** At most this many UTF-16 units, without half a surrogate pair at the end. */
export const cut = (text: string, most: number): string => {
  const sound = text.toWellFormed();
  if (sound.length <= most) return sound;
  return `${sound.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
