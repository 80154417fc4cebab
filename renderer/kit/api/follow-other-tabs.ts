/** Data kept by one tab applies to all of them; without this, each would overwrite what the others have kept. */
export const followOtherTabs = ({
  persist,
}: {
  readonly persist: { getOptions(): { readonly name?: string }; rehydrate(): Promise<void> | void };
}): void =>
  // Words and numbers are also created where there is no page, as in tests.
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === persist.getOptions().name) void persist.rehydrate();
  });
