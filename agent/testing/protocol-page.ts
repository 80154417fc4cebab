import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface WorkedExample {
  readonly secret: string;
  readonly serverId: string;
  readonly nonce: string;
  readonly privateKeySeedHex: string;
  readonly agentKey: string;
  readonly agentText: string;
  readonly proof: string;
  readonly signature: string;
  readonly clientNonce: string;
  readonly apiText: string;
  readonly apiProof: string;
}

export interface UploadExample {
  readonly secret: string;
  readonly privateKeySeedHex: string;
  readonly taskId: string;
  readonly part: number;
  readonly parts: number;
  readonly body: string;
  readonly text: string;
  readonly shown: { readonly serverId: string; readonly nonce: string };
}

export interface PageExchange {
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** The examples of PROTOCOL.md, unchanged. */
export interface ProtocolPage {
  readonly text: string;
  readonly worked: WorkedExample;
  readonly upload: UploadExample;
  readonly agentFrames: readonly unknown[];
  readonly apiFrames: readonly unknown[];
  readonly dialogue: readonly { readonly from: 'agent' | 'api'; readonly frame: { readonly type: string } }[];
  readonly exchanges: readonly PageExchange[];
}

export const readProtocolPage = async (): Promise<ProtocolPage> => {
  const text = await readFile(join(import.meta.dirname, '../PROTOCOL.md'), 'utf8');
  const blocks = (kind: string) =>
    [...text.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].flatMap(([, name, body = '']) =>
      name === kind ? [body] : [],
    );
  const frames = (kind: string) => blocks(kind).map((body) => JSON.parse(body));
  const [worked] = frames('json worked-example');
  const [upload] = frames('json upload-example');
  return {
    text,
    worked,
    upload,
    agentFrames: frames('json agent'),
    apiFrames: frames('json api'),
    dialogue: blocks('text dialogue')
      .flatMap((body) => body.trim().split('\n'))
      .map((line) => ({ from: line.startsWith('→') ? 'agent' : 'api', frame: JSON.parse(line.slice(2)) })),
    exchanges: [...blocks('http challenge'), ...blocks('http poll')].map(toExchange),
  };
};

const toExchange = (body: string): PageExchange => {
  const [, path = '', request = '', status, answer = ''] =
    /^POST (\S+)\n(.+)\n\n(\d+)\n(.+)\n$/.exec(body) ?? [];
  return { path, request: JSON.parse(request), status: Number(status), answer: JSON.parse(answer) };
};
