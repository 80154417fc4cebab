/** When players are told, in seconds before the end, as far as the countdown reaches. */
const marks = [3600, 1800, 900, 600, 300, 120, 60, 30, 10, 5, 4, 3, 2, 1];

/** Seconds before the end at which it is announced, including the first announcement; the longest time first. */
export const announcementsOf = (seconds: number): readonly number[] => [
  seconds,
  // One right after the first would only repeat it.
  ...marks.filter((mark) => mark < seconds && (seconds - mark >= 3 || mark < 5)),
];

/** `{time}` in the text becomes the remaining time, in a form that needs no language: `30 s`, `2 min`, `1 h`. */
export const announcementText = (text: string, secondsLeft: number): string =>
  text.replaceAll('{time}', timeText(secondsLeft));

const timeText = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
};
