import type { ChatTrust } from '#contracts/storefronts/chat-trust.ts';
import { chatTrustHttp } from '#contracts/storefronts/chat-trust.ts';
import { call } from './call.ts';
import { testDesktopCredential } from './test-api.ts';

const owner = { as: testDesktopCredential };

export const chatTrustOf = async (port: number, serverId: string): Promise<ChatTrust> => {
  const { rows } = chatTrustHttp.list.response.parse((await call(port, chatTrustHttp.list, owner)).json);
  const found = rows.find((row) => row.serverId === serverId);
  if (!found) throw new Error(`${serverId} is not in use`);
  return found;
};

/** Lets players spend and link by the chat of a server, as the owner of the machine. */
export const trustChat = async (port: number, serverId: string): Promise<void> => {
  const { version } = await chatTrustOf(port, serverId);
  const params = { id: serverId };
  const { status, text } = await call(port, chatTrustHttp.set, {
    ...owner,
    params,
    body: { version, isTrusted: true },
  });
  if (status !== 200) throw new Error(text);
};
