import type { DataFolderMove } from '#contracts/desktop/desktop-data-folder.ts';
import type { ServicesProgress } from '#contracts/desktop/desktop-services.ts';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import type { StackState } from '#contracts/operations/stack.ts';
import type { TrayLook } from './tray-view.ts';

/** Progress of long work, from 0 to 1; `unknown`: it runs without a known end. Null: there is none. */
export type TaskbarProgress = number | 'unknown' | null;

export interface LongWork {
  readonly state: StackState;
  readonly move: DataFolderMove | null;
  readonly services: ServicesProgress['work'];
  readonly update: Pick<UpdatesState, 'step' | 'receivedBytes' | 'offer'> | null;
  readonly isBackingUp: boolean;
}

const share = (done: number, all: number): TaskbarProgress =>
  all > 0 ? Math.min(1, Math.max(0, done / all)) : 'unknown';

/** Of several, the one that keeps people waiting longest is shown. */
export const taskbarProgress = ({
  state,
  move,
  services,
  update,
  isBackingUp,
}: LongWork): TaskbarProgress => {
  if (move) return share(move.doneBytes, move.bytes);
  if (services) return 'unknown';
  if (update?.step === 'downloading') return share(update.receivedBytes, update.offer?.sizeBytes ?? 0);
  if (update?.step === 'backing-up' || update?.step === 'leaving') return 'unknown';
  if (isBackingUp) return 'unknown';
  return state === 'starting' || state === 'stopping' ? 'unknown' : null;
};

export type OverlayBadge = 'warning' | 'bad';

/** The overlay of the button: none while all is well, or after a deliberate stop. */
export const overlayOf = (look: TrayLook): OverlayBadge | null =>
  look === 'warning' || look === 'bad' ? look : null;
