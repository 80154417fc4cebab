import { create } from 'zustand';
import { callDesktop, desktopBridge } from '../desktop/desktop-bridge.ts';
import { onStepUpRequired } from '../wire/call.ts';

interface StepUpStore {
  /** Answers the question; null while none is open. */
  readonly settle: ((isDone: boolean) => void) | null;
}

const useStepUpStore = create<StepUpStore>(() => ({ settle: null }));

const askInPanel = async (): Promise<boolean> => {
  const answer = Promise.withResolvers<boolean>();
  useStepUpStore.setState({ settle: answer.resolve });
  const isDone = await answer.promise;
  useStepUpStore.setState({ settle: null });
  return isDone;
};

/** In a separate window, which a page cannot answer. */
const askOnDesktop = async (): Promise<boolean> => (await callDesktop('stepUp.confirm', undefined)).confirmed;

let asking: Promise<boolean> | null = null;

/** Calls that are refused at the same time wait for one answer. */
onStepUpRequired(() => {
  asking ??= (desktopBridge() ? askOnDesktop() : askInPanel()).finally(() => {
    asking = null;
  });
  return asking;
});

export const useStepUpQuestion = (): StepUpStore['settle'] => useStepUpStore(({ settle }) => settle);
