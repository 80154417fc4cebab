/** Why there can be no rehearsal, in words for people. */
export class ModsRehearsalError extends Error {
  override name = 'ModsRehearsalError';
}
