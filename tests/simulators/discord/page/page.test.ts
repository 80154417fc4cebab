import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Events } from 'discord.js';
import { expect, test } from 'vitest';
import { axeViolations, type Look, looks, openBrowser, overflows } from '#harness/browser.ts';
import { startDiscord } from '../discord.ts';
import { signIn } from '../signed-in.ts';
import { createPage } from './page.ts';

const pictures = process.env.CASTELLAN_PICTURES;

const walk = async (seen: readonly Look[]) => {
  await using discord = await startDiscord();
  const people = discord.addGuild('The Keep', { channels: ['general', 'chat'] });
  for (const name of ['Ada', 'Bob']) people.join(name);
  discord.showPage(createPage(discord, people));
  await using bot = await signIn(discord);
  await bot.client.application.commands.set(
    [
      {
        name: 'buy',
        description: 'Buys a product',
        options: [{ type: 3, name: 'product', description: 'Which one', required: true, autocomplete: true }],
      },
    ],
    people.guild.id,
  );
  bot.client.on(Events.InteractionCreate, async (interaction) => {
    if (interaction.isAutocomplete()) await interaction.respond([{ name: 'A sword', value: 'sword' }]);
    if (interaction.isButton()) await interaction.update({ content: 'Bought.', components: [] });
    if (!interaction.isChatInputCommand()) return;
    const button = new ButtonBuilder().setCustomId('buy').setLabel('Confirm').setStyle(ButtonStyle.Success);
    await interaction.reply({
      content: `Buy **${interaction.options.getString('product')}**?`,
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)],
      flags: 64,
    });
  });
  const fields = ['State', 'Players', 'Map'].map((name) => ({ name, value: '`online`', inline: true }));
  const embed = { title: 'Ragnarok', description: 'Up since <t:1700000000:R>', color: 0x2ecc71, fields };
  await bot.text(people.channelNamed('general').id).send({ embeds: [embed] });

  await using chromium = await openBrowser();
  for (const look of seen) {
    const page = await chromium.browser.newPage({ ...looks[look], deviceScaleFactor: 1 });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(discord.url);
    await page.getByText('Ragnarok').waitFor();
    await page.getByLabel('You are').selectOption('Ada');
    await page.getByLabel('Message', { exact: true }).fill(`hello from ${look} <b>`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(`hello from ${look} <b>`).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('/b');
    await page.getByRole('button', { name: '/buy' }).click();
    await page.getByLabel('product').fill('sw');
    await page.locator('datalist option[value="sword"]').waitFor({ state: 'attached' });
    await page.getByLabel('product').fill('sword');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Only you can see this').last().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(await page.getByText(/^(false|null|undefined)$/).count()).toBe(0);
    if (pictures) await page.screenshot({ path: `${pictures}/discord-${look}.png` });
    await page.getByRole('button', { name: 'Confirm' }).last().click();
    await page.getByText('Bought.').last().waitFor();
    await page.getByLabel('You are').selectOption('Bob');
    await expect.poll(() => page.getByText('Bought.').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  }
};

// Guarantee: a person at the page sees what the bot posts, can run its commands and press its buttons, and is the only one to
// see ephemeral answers.
test('the page of a guild', () => walk(['phone']));
test('a guild in the other looks', { tags: 'night' }, () => walk(['light', 'dark', 'dark phone']));
