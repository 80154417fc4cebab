/** Offers a text to the browser as a file to save. */
export const saveFile = (text: string, name: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // The browser has started the download by that time.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
