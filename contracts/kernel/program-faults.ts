import * as z from 'zod';

/**
 * Why the program of a game cannot be run on its machine: it is not there, or lacks what it needs to be loaded. The number is how
 * many values the sentence in `program-fault-words.ts` has.
 */
const valueCounts = {
  'folder-missing': 1,
  'folder-silent': 1,
  'folder-closed': 2,
  'program-missing': 1,
  'program-is-folder': 1,
  'program-not-executable': 1,
  'program-closed': 2,
  'program-busy': 1,
  'not-a-program': 1,
  'wrong-architecture': 3,
  'interpreter-missing': 2,
  'script-line-endings': 1,
  'library-missing': 2,
  'unit-program': 1,
  'service-program': 1,
} as const;
export type ProgramFaultCode = keyof typeof valueCounts;
export const programFaultCodes = Object.keys(valueCounts) as [ProgramFaultCode, ...ProgramFaultCode[]];

/** Longer paths are cut: they are for people. */
export const longestFaultValue = 300;

export const programFault = z
  .object({
    code: z.enum(programFaultCodes),
    values: z.array(z.string().max(longestFaultValue)).max(3),
  })
  .refine(({ code, values }) => values.length === valueCounts[code], 'The code has another number of values.')
  .meta({ id: 'ProgramFault' });
export type ProgramFault = z.infer<typeof programFault>;

export const isSameFault = (one: ProgramFault | null, other: ProgramFault | null): boolean =>
  one?.code === other?.code && one?.values.join('\0') === other?.values.join('\0');
