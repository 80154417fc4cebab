/** `paused` stands for what a service of ours never is. */
export type ServiceState = 'absent' | 'stopped' | 'starting' | 'stopping' | 'running' | 'paused';

/** Windows's numbers (winsvc.h). */
const states: Readonly<Record<string, ServiceState>> = {
  1: 'stopped',
  2: 'starting',
  3: 'stopping',
  4: 'running',
};

/**
 * What `sc query` printed, read by position, since its words are translated: the first number after a colon is the
 * kind of service, the second its state. Nothing printed means that there is none.
 */
export const stateOfQuery = (printed: string): ServiceState => {
  const numbers = [...printed.matchAll(/^[^:\r\n]*:\s*([0-9a-f]+)\b/gim)].map(([, number]) => number ?? '');
  if (numbers.length === 0) return 'absent';
  return states[numbers[1] ?? ''] ?? 'paused';
};
