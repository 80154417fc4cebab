import type { Session } from 'electron';
import { isPanelAddress } from './panel-scheme.ts';

/** Copying, by a button of ours; camera, place, notifications and all else are nobody's business here. */
const granted: readonly string[] = ['clipboard-sanitized-write'];

/** Says no to whatever a page could ask of the system. */
export const denyRights = (session: Session): void => {
  session.setPermissionRequestHandler((_page, permission, answer, { requestingUrl }) =>
    answer(granted.includes(permission) && isPanelAddress(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_page, permission, origin) => granted.includes(permission) && isPanelAddress(origin),
  );
  session.setDevicePermissionHandler(() => false);
};
