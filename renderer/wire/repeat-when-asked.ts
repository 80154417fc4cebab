/** Does something again whenever it is asked to, but never faster than it may. */
export interface RepeatWhenAsked extends Disposable {
  ask(): void;
}

/**
 * The first time is at once. What is asked for meanwhile is done once, when the last time has ended and the rest is over, so
 * that the last time always begins after the last question.
 * @param restMs between the beginnings of two
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
