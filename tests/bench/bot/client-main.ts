import { Client } from 'discord.js';

// The least that signs in: the cost of a bot before it does anything.
const { DISCORD_API_URL: api = '', DISCORD_BOT_TOKEN: token = '', INTENTS: intents } = process.env;
await new Client({ intents: Number(intents), rest: { api } }).login(token);
