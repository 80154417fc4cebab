/** Repeats an action on request, but never faster than allowed. */
export interface RepeatWhenAsked extends Disposable {
  ask(): void;
}

/**
 * The first run starts immediately. Requests during a run are carried out once, when that run has ended and the rest is
 * over, so the last run always begins after the last request.
 * @param restMs between the starts of two runs
 */
export const repeatWhenAsked = (act: () => Promise<unknown>, restMs: number): RepeatWhenAsked => {
  let isActing = false;
  let isAsked = false;
  let isDisposed = false;

  const begin = async (): Promise<void> => {
    isActing = true;
    while (isAsked && !isDisposed) {
      isAsked = false;
      const rest = new Promise((resolve) => setTimeout(resolve, restMs));
      try {
        await act();
      } catch (error) {
        reportError(error);
      }
      await rest;
    }
    isActing = false;
  };

  return {
    ask() {
      isAsked = true;
      if (!isActing) void begin();
    },
    [Symbol.dispose]() {
      isDisposed = true;
    },
  };
};
