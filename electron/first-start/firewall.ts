import { product } from '#contracts/product.ts';

/** By this name the rule is found again. */
const rule = `${product.name} API`;

/**
 * Lets other machines of the private and the company's network through the firewall of Windows; nothing from public
 * networks. To be run by an administrator. A rule of that name is replaced: Windows would keep several.
 */
export const firewallCommand = (port: number): string =>
  [
    `netsh advfirewall firewall delete rule name="${rule}"`,
    `netsh advfirewall firewall add rule name="${rule}" dir=in action=allow protocol=TCP localport=${port} profile=private,domain`,
  ].join(' & ');
