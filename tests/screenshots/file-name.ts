/** A picture's file name: its look and its subject. */
export const fileName = (look: string, name: string): string =>
  `${`${look} ${name}`.replace(/[^\w]+/g, '-')}.png`;
