import { StartupError } from '../program.ts';

/** `paused` covers every state that our services never have. */
export type ServiceState = 'absent' | 'stopped' | 'starting' | 'stopping' | 'running' | 'paused';

/** Windows's numbers (winsvc.h). */
const states: Readonly<Record<string, ServiceState>> = {
  1: 'stopped',
  2: 'starting',
  3: 'stopping',
  4: 'running',
  5: 'paused',
  6: 'paused',
  7: 'paused',
};

/**
 * Reads the output of `sc query` by position, since its words are translated: the first number after a colon is the kind of
 * service, the second its state.
 * @throws {StartupError} for anything else: if it counted as missing, an existing service would be overwritten
 */
export const stateOfQuery = (printed: string): ServiceState => {
  const state = states[numbersIn(printed)[1] ?? ''];
  if (state === undefined) throw new StartupError('What Windows answers about a service cannot be read.');
  return state;
};

const numbersIn = (printed: string): string[] =>
  [...printed.matchAll(/^[^:\r\n]*:\s*([0-9a-f]+)\b/gim)].map(([, number]) => number ?? '');

/** ERROR_SERVICE_SPECIFIC_ERROR: the next number is the program's own. */
const ownError = 1066;
/** ERROR_SERVICE_NEVER_STARTED. */
const neverStarted = 1077;

/** What Windows says about the service's last end, the third number; null for an end in order, one of its own, and none. */
export const exitOfQuery = (printed: string): number | null => {
  const code = Number(numbersIn(printed)[2]);
  return Number.isNaN(code) || [0, ownError, neverStarted].includes(code) ? null : code;
};
