import type { UseQueryResult } from '@tanstack/react-query';
import { chatTrustHttp } from '#contracts/chat-trust.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../../access/access-state.ts';
import { useRead } from '../../wire/queries.ts';

/** A key or another admin may end a server's trust at any time. */
const everyMs = 10_000;

/** Which servers' chats are trusted; nothing is read without the permission. */
export const useChatTrusts = (
  permission: Permission,
): UseQueryResult<EndpointResponse<typeof chatTrustHttp.list>> =>
  useRead(chatTrustHttp.list, {}, { enabled: useCan()(permission), everyMs });
