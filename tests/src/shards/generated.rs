//! Repositories that are generated, and dealt to shards at random.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Texts, check};

fn repository() -> impl Strategy<Value = (Texts, u16, u64)> {
    let file = (
        0usize..6,
        0usize..6,
        prop::collection::vec(0usize..6, 0..4),
        any::<bool>(),
    );
    let files = prop::collection::vec(file, 2..9);
    (files, 1u16..5, any::<u64>()).prop_map(|(files, n_shards, seed)| {
        let mut texts = Texts::new();
        for (at, (module, base, calls, is_ts)) in files.into_iter().enumerate() {
            let (path, text) = if is_ts {
                typescript(at, module, base, &calls)
            } else {
                python(at, module, base, &calls)
            };
            texts.insert(path, text);
        }
        (texts, n_shards, seed)
    })
}

fn python(at: usize, module: usize, base: usize, calls: &[usize]) -> (String, String) {
    let mut text = format!(
        "from p{}.m{module} import f{module}, C{module}\nimport os\n\nclass C{at}(C{module}):\n    def run(self, x: C{base}):\n        x.run(self)\n        self.go()\n\n    def go(self):\n        return f{base}()\n\ndef f{at}():\n",
        module % 2
    );
    for call in calls {
        text.push_str(&format!("    f{call}()\n    C{call}().run(1)\n"));
    }
    text.push_str("    os.remove('x')\n    return C");
    text.push_str(&format!("{base}()\n"));
    (format!("p{}/m{at}.py", at % 2), text)
}

fn typescript(at: usize, module: usize, base: usize, calls: &[usize]) -> (String, String) {
    let mut text = format!(
        "import {{ f{module}, C{module} }} from './t{module}';\nexport class C{at} extends C{module} {{\n  run(x: C{base}) {{ x.run(this); return this.go(); }}\n  go() {{ return f{module}(); }}\n}}\nexport function f{at}() {{\n"
    );
    for call in calls {
        text.push_str(&format!("  f{call}();\n  new C{call}().run(null);\n"));
    }
    text.push_str("}\n");
    (format!("web/t{at}.ts"), text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn generated_repositories_answer_as_one_index((texts, n_shards, seed) in repository()) {
        let mut state = seed;
        let mut shard_of: BTreeMap<&str, u16> = texts.keys().map(|path| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (path.as_str(), ((state >> 33) % u64::from(n_shards)) as u16)
        }).collect();
        // No shard is empty.
        let mut numbers = BTreeMap::new();
        for shard in shard_of.values_mut() {
            let next = numbers.len() as u16;
            *shard = *numbers.entry(*shard).or_insert(next);
        }
        check(&texts, &shard_of);
    }
}
