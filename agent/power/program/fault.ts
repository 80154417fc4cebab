import { programFaultText } from '#contracts/kernel/program-fault-words.ts';
import {
  longestFaultValue,
  type ProgramFault,
  type ProgramFaultCode,
} from '#contracts/kernel/program-faults.ts';
import { cutText } from '../../game/cut-text.ts';

/** Why a game was not started. */
export interface StartFault {
  /** For people. */
  readonly detail: string;
  /** Its program is not there, or cannot be loaded; null: another reason. */
  readonly program: ProgramFault | null;
}

export const fault = (code: ProgramFaultCode, ...values: readonly string[]): ProgramFault => ({
  code,
  values: values.map((value) => cutText(value, longestFaultValue)),
});

/** In English, for the agent's log and its terminal. */
export const faultText = (program: ProgramFault): string => programFaultText(program, 'en');

export const programStartFault = (program: ProgramFault): StartFault => ({
  detail: faultText(program),
  program,
});
export const otherStartFault = (detail: string): StartFault => ({ detail, program: null });
