import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';
import type { DesktopWords } from './desktop-words.ts';
import { zoomAsked } from './zoom-keys.ts';

/** What a browser window would offer: zooming by keys, and a menu on right-clicked text. */
export const lendKeys = (page: WebContents, words: DesktopWords): void => {
  page.on('before-input-event', (event, input) => {
    const level = zoomAsked(input, page.getZoomLevel());
    if (level === null) return;
    event.preventDefault();
    page.setZoomLevel(level);
  });
  page.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    if (!isEditable && selectionText.trim() === '') return;
    const items: MenuItemConstructorOptions[] = [
      { role: 'copy', label: words.copy, enabled: editFlags.canCopy },
    ];
    if (isEditable) {
      items.unshift({ role: 'cut', label: words.cut, enabled: editFlags.canCut });
      items.push({ role: 'paste', label: words.paste, enabled: editFlags.canPaste });
    }
    items.push({ type: 'separator' }, { role: 'selectAll', label: words.selectAll });
    Menu.buildFromTemplate(items).popup();
  });
};
