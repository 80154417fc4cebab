const key = 'castellan.signed-in';

/** Who this browser believes is signed in, by id; empty when it was not asked yet, null for nobody. */
export const personHere = (): string | null => localStorage.getItem(key);

export const tellPersonHere = (id: string | null): void => {
  if (id === null) localStorage.removeItem(key);
  else localStorage.setItem(key, id);
};

/** All tabs share one cookie: hears when another of them signs out, or somebody else signs in there. */
export const onPersonElsewhere = (listener: (id: string | null) => void): void => {
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) listener(personHere());
  });
};
