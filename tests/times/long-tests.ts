/**
 * Why a test, or every test of a file, may use more of the processor than its tier allows. Keys are `<file> > <full name>` or `<file>`.
 */
export const longTests: Readonly<Record<string, string>> = {};
