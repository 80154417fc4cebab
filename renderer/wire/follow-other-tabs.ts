interface KeptStore {
  readonly persist: {
    getOptions(): { readonly name?: string };
    rehydrate(): Promise<void> | void;
  };
}

/** What one tab keeps holds in all of them; without it, each would write over what the others have kept. */
export const followOtherTabs = ({ persist }: KeptStore): void =>
  // Words and numbers are also made where there is no page, as in tests.
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === persist.getOptions().name) void persist.rehydrate();
  });
