/** steamcmd's outcome for an item of the Workshop. */
type ItemSaid =
  | { readonly is: 'downloaded' }
  /** `isFinal`: trying again does not help. */
  | { readonly is: 'failed'; readonly why: string; readonly isFinal: boolean };

/** Steam's result names (EResult) that stay the same for an anonymous account. */
const finalResults = /^(?:File Not Found|Access Denied|Invalid Parameter|No subscription|Banned)$/i;

/**
 * Reads the output of `+workshop_download_item 346110 731604991`. Text of the next step is often on the same line, before and
 * after; the updater's text is in the system's language, these lines never are. The exit code proves nothing.
 * - `Success. Downloaded item 924933745 to "/…/924933745" (3418407 bytes) `
 * - `ERROR! Download item 111111111 failed (File Not Found).`, `(Failure)`, `(Timeout)`, `(I/O Operation Failed)`
 * - `ERROR! Timeout downloading item 111111111`
 * - `ERROR! Failed to install app …`, `FAILED (No Connection)`, `FAILED login with result code …` before it gets to the item
 * (github.com/arkmanager/arkmanager-docs, issue 2; github.com/shadoxxhd/steamworkshopdownloader, issues 29, 36 and 41;
 * pastebin.com/nmVCNmmB)
 * @returns null: no result for the item, as when it was interrupted
 */
export const readItem = (output: string, id: string): ItemSaid | null => {
  // The last result counts: a run may try an item twice.
  const found = [...output.matchAll(itemForms)].findLast(({ groups }) =>
    [groups?.done, groups?.failed, groups?.late].includes(id),
  )?.groups;
  if (found?.done !== undefined) return { is: 'downloaded' };
  if (found?.late !== undefined)
    return { is: 'failed', why: 'Steam did not send it in time', isFinal: false };
  if (found?.result !== undefined) {
    const { result } = found;
    return { is: 'failed', why: `Steam says: ${result}`, isFinal: finalResults.test(result) };
  }
  const login = loginForms.exec(output)?.groups?.why;
  return login === undefined
    ? null
    : { is: 'failed', why: `steamcmd could not sign in to Steam (${login.trim()})`, isFinal: false };
};

const itemForms =
  /Success\. Downloaded item (?<done>\d{1,20}) to "|ERROR! Download item (?<failed>\d{1,20}) failed \((?<result>[^)\r\n]{1,80})\)|ERROR! Timeout downloading item (?<late>\d{1,20})(?!\d)/g;
const loginForms = /(?:FAILED (?:\(|login with result code )|ERROR \()(?<why>[^)\r\n]{1,80})/;
