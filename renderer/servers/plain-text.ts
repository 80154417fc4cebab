// biome-ignore-all lint/suspicious/noControlCharactersInRegex: these are what is taken out
/** Colours, cursor movements and titles of terminals. */
const terminalSequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g;
/** Minecraft's colours and styles. */
const sectionCodes = /§[0-9a-fk-orx]/gi;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
const otherControls = /[\u007f-\u009f]/g;
/** Unicode has the pictures of control characters in the same order. */
const firstPicture = 0x2400;

/** A game's text in displayable form: without colour codes, with uniform line ends, and other control characters as pictures. */
export const plainText = (text: string): string =>
  text
    .replace(terminalSequences, '')
    .replace(sectionCodes, '')
    .replace(/\r\n?/g, '\n')
    .replace(controls, (found) => String.fromCharCode(firstPicture + found.charCodeAt(0)))
    .replace(otherControls, '\u{fffd}');
