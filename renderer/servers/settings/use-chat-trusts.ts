import type { UseQueryResult } from '@tanstack/react-query';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';

/** A key or another admin may end a server's trust at any time. */
const everyMs = 10_000;

/** Which servers' chats are trusted; nothing is read without the permission. */
export const useChatTrusts = (
  permission: Permission,
): UseQueryResult<EndpointResponse<typeof chatTrustHttp.list>> =>
  useRead(chatTrustHttp.list, {}, { enabled: useCan()(permission), everyMs });
