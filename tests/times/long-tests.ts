/**
 * Why a test, or every test of a file, may use more of the processor than its tier allows. Keys are `<file> > <full name>` or `<file>`.
 */
export const longTests: Readonly<Record<string, string>> = {
  'tests/architecture/walls.test.ts > the compiler holds the walls between the parts':
    'compiles a tree for each of the 72 pairs of parts',
};
