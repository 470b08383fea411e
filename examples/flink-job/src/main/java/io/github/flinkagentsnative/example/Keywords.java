package io.github.flinkagentsnative.example;

import io.github.flinkagentsnative.testkit.SchemaResponder;

/** What the local server knows about support messages: words for each topic, in the languages of the bundled messages. */
final class Keywords {
    private Keywords() {}

    static SchemaResponder responder() {
        return new SchemaResponder()
                .hint(
                        "BILLING",
                        "invoice",
                        "charged",
                        "refund of",
                        "vat",
                        "rechnung",
                        "facture",
                        "factura",
                        "fattura",
                        "fatura",
                        "factuur",
                        "faktur",
                        "lasku",
                        "cobraram",
                        "списали",
                        "החשבונית",
                        "发票",
                        "τιμολόγιο")
                .hint(
                        "DELIVERY",
                        "parcel",
                        "tracking",
                        "delivered",
                        "delivery",
                        "paket",
                        "colis",
                        "paquete",
                        "pacco",
                        "pakket",
                        "balík",
                        "pakken",
                        "kargo",
                        "πακέτο",
                        "посылка",
                        "الشحنة",
                        "荷物",
                        "배송",
                        "พัสดุ",
                        "livraison",
                        "consegna",
                        "levering")
                .hint(
                        "RETURNS",
                        "return",
                        "wrong size",
                        "remboursé",
                        "devolver",
                        "ruilen",
                        "returnera",
                        "повернути",
                        "退货",
                        "환불",
                        "रिफंड",
                        "đổi trả")
                .hint(
                        "TECHNICAL",
                        "app ",
                        "crash",
                        "error",
                        "fehler",
                        "site ",
                        "page",
                        "aplicação",
                        "aplikacja",
                        "uygulama",
                        "приложение",
                        "האפליקציה",
                        "ऐप")
                .hint(
                        "ACCOUNT",
                        "account",
                        "password",
                        "compte",
                        "cuenta",
                        "conta ",
                        "contul",
                        "пароль",
                        "アカウント",
                        "senha")
                .hint(
                        "PRAISE",
                        "thank",
                        "wonderful",
                        "dank",
                        "merci",
                        "gracias",
                        "complimenti",
                        "děkuji",
                        "ευχαριστώ",
                        "شكرا",
                        "謝謝",
                        "köszönöm")
                .hint("HIGH", "today", "now", "urgent", "dringend", "urgente", "acil", "!!!", "尽快")
                .hint("LOW", "no rush", "just wanted")
                .hint("needsReply", "?", "？", "؟", ";", "please", "bitte", "proszę", "lütfen", "пожалуйста", "请", "부탁");
    }
}
