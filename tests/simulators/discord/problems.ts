/** The form errors of a field: https://docs.discord.com/developers/reference#error-messages */
export interface FormFault {
  /** From the outermost member to the field, including list positions: ['embeds', 0, 'title']. */
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

export class DiscordProblem extends Error {
  override readonly name = 'DiscordProblem';
  readonly status: number;
  readonly code: number;
  /** Members of the answer besides code and message. */
  readonly more: object;
  constructor(status: number, code: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** Codes and texts: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const problems = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownApplication: [404, 10002, 'Unknown Application'],
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMember: [404, 10007, 'Unknown Member'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownRole: [404, 10011, 'Unknown Role'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownCommand: [404, 10063, 'Unknown application command'],
  tooManyWebhooks: [400, 30007, 'Maximum number of webhooks reached (15)'],
  tooManyCommands: [400, 30032, 'Maximum number of application commands reached (100)'],
  tooManyCommandCreates: [
    400,
    30034,
    'Max number of daily application command creates has been reached (200)',
  ],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50001, 'Missing Access'],
  editOfAnother: [403, 50005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50006, 'Cannot send an empty message'],
  noTextChannel: [400, 50008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  invalidWebhookToken: [401, 50027, 'Invalid Webhook Token'],
  invalidRole: [400, 50028, 'Invalid role'],
  invalidVersion: [400, 50041, 'Invalid API version provided.'],
  invalidJson: [400, 50109, 'The request body contains invalid JSON.'],
} as const satisfies Record<string, readonly [number, number, string]>;

export const problem = (name: keyof typeof problems): DiscordProblem => {
  const [status, code, message] = problems[name];
  return new DiscordProblem(status, code, message);
};

type Tree = { [key: string]: Tree | { code: string; message: string }[] };

/** 50035, with each error under the name of its field. */
export const invalidForm = (faults: readonly FormFault[]): DiscordProblem => {
  const errors: Tree = {};
  for (const { path, code, message } of faults) {
    let place = errors;
    for (const step of path) {
      place[step] ??= {};
      place = place[step] as Tree;
    }
    place._errors = [...((place._errors as { code: string; message: string }[]) ?? []), { code, message }];
  }
  return new DiscordProblem(400, 50035, 'Invalid Form Body', { errors });
};
