import type { Session } from 'electron';
import { isPanelAddress } from './panel-scheme.ts';

/** Copying, for our own buttons; no page needs camera, location, notifications or anything else. */
const granted: readonly string[] = ['clipboard-sanitized-write'];

/** Denies everything else that a page could ask of the system. */
export const denyRights = (session: Session): void => {
  session.setPermissionRequestHandler((_page, permission, answer, { requestingUrl }) =>
    answer(granted.includes(permission) && isPanelAddress(requestingUrl)),
  );
  session.setPermissionCheckHandler(
    (_page, permission, origin) => granted.includes(permission) && isPanelAddress(origin),
  );
  session.setDevicePermissionHandler(() => false);
};
