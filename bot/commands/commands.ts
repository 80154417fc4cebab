import { buyCommand } from './buy.ts';
import type { BotCommand } from './command.ts';
import { confirmCommand } from './confirm.ts';
import { dailyCommand } from './daily.ts';
import { deliveriesCommand } from './deliveries.ts';
import {
  announceCommand,
  banCommand,
  kickCommand,
  rconCommand,
  unbanCommand,
  whitelistCommand,
} from './game-commands.ts';
import { giftCommand } from './gift.ts';
import { givePointsCommand } from './give-points.ts';
import { linkCommand } from './link.ts';
import { playersCommand } from './players.ts';
import { pointsCommand } from './points.ts';
import { redeemCommand } from './redeem.ts';
import { serverCommand } from './server.ts';
import { shopCommand } from './shop.ts';
import { statusCommand } from './status.ts';
import { unlinkCommand } from './unlink.ts';

/** Every slash command. */
export const botCommands: readonly BotCommand[] = [
  statusCommand,
  playersCommand,
  linkCommand,
  unlinkCommand,
  confirmCommand,
  pointsCommand,
  shopCommand,
  buyCommand,
  giftCommand,
  deliveriesCommand,
  dailyCommand,
  redeemCommand,
  givePointsCommand,
  announceCommand,
  kickCommand,
  banCommand,
  unbanCommand,
  whitelistCommand,
  rconCommand,
  serverCommand,
];
