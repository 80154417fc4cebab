/**
 * Why a person must decide.
 * - `unknown`: it may have arrived, and nothing proves it either way
 * - `rolled-back`: it arrived, and the game lost it in a crash
 * - `contradiction`: the game's reply and its record disagree
 * - `late-result`: a result arrived after a refund or a decision and contradicts it
 * - `restored`: the database was restored, and it may have been sent after that backup
 */
export const deskReasons = ['unknown', 'rolled-back', 'contradiction', 'late-result', 'restored'] as const;
export type DeskReason = (typeof deskReasons)[number];
