/** Soft hyphens, zero-width characters, marks of direction and of byte order, as mails and pages put them between letters. */
export const withoutInvisible = (text: string): string =>
  text.replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '');

/** Whether a text has blanks or invisible characters at an end, which may belong to it or have come with a paste. */
export const hasLooseEnds = (text: string): boolean =>
  text !== withoutInvisible(text) || text !== text.trim();
