import { defineWords } from '#contracts/kernel/words.ts';
import type { ShopKind } from '#contracts/storefronts/shop-webhooks.ts';
import type { ShopTestOutcome } from '#contracts/storefronts/shops.ts';

export const shopGuideWords = defineWords(
  {
    open: 'How to connect',
    title: (name: string) => `Connect ${name}`,
    close: 'Close',
    url: 'Webhook URL',
    events: 'Events to switch on',
    copyEvents: 'Copy the event names',
    steps: {
      tebex: {
        address:
          'In Tebex, open Integrations, Webhooks, Endpoints, and add the webhook URL with the events below.',
        secret: 'Copy the secret from the same page into Secrets here.',
        products:
          'Under Products here, enter each package’s ID and the product of your store that it delivers.',
        unread:
          'Each payment of a recurring package arrives as its own payment.completed. Events named recurring-payment, basket and payment.declined are kept, but change nothing.',
      },
      stripe: {
        address:
          'In Stripe, open Developers, Webhooks, and add the webhook URL as an endpoint with the events below.',
        secret: 'Copy the signing secret (whsec_…) into Secrets here.',
        links:
          'For a payment link, enter its ID (plink_…) under Products here, and turn its adjustable quantity off: no event reports the quantity.',
        receiver:
          'Add ?client_reference_id= to the link to say who receives it: a Minecraft UUID, a Steam ID, or member-17. For sessions that your site makes, set the metadata castellan_product, castellan_quantity and castellan_player.',
        renewals:
          'For subscriptions, set the same metadata under subscription_data too: each renewal (invoice.paid) then delivers again. invoice_payment.paid lets refunds find it.',
        unread:
          'Events of failed or withdrawn refunds, of changes of plan and of the end of a subscription are kept, but change nothing.',
      },
      generic: {
        secret: 'Choose a secret of at least 16 characters and enter it under Secrets here and in your site.',
        request:
          'For each purchase and each refund, send one POST request with a JSON body to the webhook URL. Repeat it until the answer is 200: the same id counts once.',
        signature:
          'Sign it with the header Castellan-Signature: t=<seconds since 1970>,v1=<hex HMAC-SHA256 of “<t>.<body>”>.',
        types: 'Other types are disputed, dispute-won, dispute-lost and test.',
      },
    } satisfies Record<ShopKind, Readonly<Record<string, string>>>,
    example: 'Example',
    copyExample: 'Copy the example',
    testTitle: 'Test event',
    testText: 'Sends a signed event to the webhook URL, as the shop would. Nothing is delivered.',
    test: 'Send test event',
    code: (code: string) => `The API answered ${code}.`,
    outcomes: {
      received: 'Received, and the signature is right.',
      refused: 'Refused.',
      'no-address': 'Set the public address first.',
      unreachable: 'The public address doesn’t lead here.',
      'no-secret': 'Enter the secret first.',
      off: 'The shop is off.',
      'senders-checked':
        'The address works. This shop takes events from Tebex’s own addresses alone, so send the test from Tebex.',
    } satisfies Record<ShopTestOutcome, string>,
    states: {
      never: 'No event received yet',
      receiving: 'Receiving',
      signature: 'Signature wrong',
      refused: 'Last event rejected',
    },
    notPublic:
      'No shop on the internet reaches this URL. Set the public address of this computer, then copy the URL again.',
  },
  {
    open: 'Como conectar',
    title: (name: string) => `Conectar ${name}`,
    close: 'Fechar',
    url: 'URL do webhook',
    events: 'Eventos a ativar',
    copyEvents: 'Copiar os nomes dos eventos',
    steps: {
      tebex: {
        address:
          'Na Tebex, abra Integrations, Webhooks, Endpoints e adicione a URL do webhook com os eventos abaixo.',
        secret: 'Copie o segredo da mesma página para Segredos aqui.',
        products: 'Em Produtos aqui, informe o ID de cada pacote e o produto da sua loja que ele entrega.',
        unread:
          'Cada pagamento de um pacote recorrente chega como um payment.completed próprio. Eventos recurring-payment, basket e payment.declined são guardados, mas não mudam nada.',
      },
      stripe: {
        address:
          'No Stripe, abra Developers, Webhooks e adicione a URL do webhook como endpoint com os eventos abaixo.',
        secret: 'Copie o segredo de assinatura (whsec_…) para Segredos aqui.',
        links:
          'Para um link de pagamento, informe o ID dele (plink_…) em Produtos aqui e desative a quantidade ajustável: nenhum evento informa a quantidade.',
        receiver:
          'Acrescente ?client_reference_id= ao link para dizer quem recebe: um UUID do Minecraft, um ID Steam ou member-17. Nas sessões que o seu site cria, defina os metadados castellan_product, castellan_quantity e castellan_player.',
        renewals:
          'Para assinaturas, defina os mesmos metadados também em subscription_data: cada renovação (invoice.paid) entrega de novo. Com invoice_payment.paid, os reembolsos a encontram.',
        unread:
          'Eventos de reembolsos que falham ou são desfeitos, de mudanças de plano e do fim de uma assinatura são guardados, mas não mudam nada.',
      },
      generic: {
        secret: 'Escolha um segredo de pelo menos 16 caracteres e informe-o em Segredos aqui e no seu site.',
        request:
          'Para cada compra e cada reembolso, envie uma requisição POST com um corpo JSON à URL do webhook. Repita até a resposta ser 200: o mesmo id conta uma vez.',
        signature:
          'Assine com o cabeçalho Castellan-Signature: t=<segundos desde 1970>,v1=<HMAC-SHA256 em hexadecimal de “<t>.<corpo>”>.',
        types: 'Outros tipos são disputed, dispute-won, dispute-lost e test.',
      },
    },
    example: 'Exemplo',
    copyExample: 'Copiar o exemplo',
    testTitle: 'Evento de teste',
    testText: 'Envia um evento assinado à URL do webhook, como a loja faria. Nada é entregue.',
    test: 'Enviar evento de teste',
    code: (code: string) => `A API respondeu ${code}.`,
    outcomes: {
      received: 'Recebido, e a assinatura está certa.',
      refused: 'Recusado.',
      'no-address': 'Defina primeiro o endereço público.',
      unreachable: 'O endereço público não leva até aqui.',
      'no-secret': 'Informe primeiro o segredo.',
      off: 'A loja está desligada.',
      'senders-checked':
        'O endereço funciona. Esta loja só aceita eventos dos endereços da Tebex, então envie o teste pela Tebex.',
    },
    states: {
      never: 'Nenhum evento recebido ainda',
      receiving: 'Recebendo',
      signature: 'Assinatura errada',
      refused: 'Último evento rejeitado',
    },
    notPublic:
      'Nenhuma loja na internet alcança esta URL. Defina o endereço público deste computador e copie a URL de novo.',
  },
);
