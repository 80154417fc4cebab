import type { FirstRunDraft, FirstRunState } from '#contracts/desktop-first-run.ts';

export interface StepProps {
  readonly state: FirstRunState;
  readonly draft: FirstRunDraft;
  /** Changes the draft, which is found again from then on. */
  readonly keep: (change: Partial<FirstRunDraft>) => void;
}
