/**
 * Why a person has to decide.
 * - `unknown`: it may have arrived, no one can tell
 * - `rolled-back`: it had arrived, and the game forgot it after a crash
 * - `contradiction`: the game's reply and its record disagree
 * - `late-result`: a result came after it was refunded or decided, and says something else
 * - `restored`: the database was restored, and it may have been sent since that backup
 */
export const deskReasons = ['unknown', 'rolled-back', 'contradiction', 'late-result', 'restored'] as const;
export type DeskReason = (typeof deskReasons)[number];
