//! Rows of the table: MIMG. Owns numbers, operands, meanings and flags of its rows; knows nothing of
//! bit positions. The row syntax is explained in `table`.

macro_rules! mimg_rows {
    ([$next:ident $($rest:ident)*] {$($acc:tt)*}) => {
        $next! { [$($rest)*] {
            $($acc)*
            // MIMG
            IMAGE_LOAD [Mimg 0x00 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: false, pck: None }), LOAD;
            IMAGE_LOAD_MIP [Mimg 0x01 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: true, pck: None }), LOAD;
            IMAGE_LOAD_PCK [Mimg 0x02 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: false, pck: Some(Sign::Unsigned) }), LOAD;
            IMAGE_LOAD_PCK_SGN [Mimg 0x03 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: false, pck: Some(Sign::Signed) }), LOAD;
            IMAGE_LOAD_MIP_PCK [Mimg 0x04 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: true, pck: Some(Sign::Unsigned) }), LOAD;
            IMAGE_LOAD_MIP_PCK_SGN [Mimg 0x05 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Load { mip: true, pck: Some(Sign::Signed) }), LOAD;
            IMAGE_STORE [Mimg 0x08 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Store { mip: false, pck: false }), STORE;
            IMAGE_STORE_MIP [Mimg 0x09 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Store { mip: true, pck: false }), STORE;
            IMAGE_STORE_PCK [Mimg 0x0a ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Store { mip: false, pck: true }), STORE;
            IMAGE_STORE_MIP_PCK [Mimg 0x0b ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Store { mip: true, pck: true }), STORE;
            IMAGE_GET_RESINFO [Mimg 0x0e ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::GetResInfo), NONE;
            IMAGE_ATOMIC_SWAP [Mimg 0x0f ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Swap)), ATOMIC;
            IMAGE_ATOMIC_CMPSWAP [Mimg 0x10 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::CmpSwap)), ATOMIC;
            IMAGE_ATOMIC_ADD [Mimg 0x11 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Add)), ATOMIC;
            IMAGE_ATOMIC_SUB [Mimg 0x12 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Sub)), ATOMIC;
            IMAGE_ATOMIC_SMIN [Mimg 0x14 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::SMin)), ATOMIC;
            IMAGE_ATOMIC_UMIN [Mimg 0x15 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::UMin)), ATOMIC;
            IMAGE_ATOMIC_SMAX [Mimg 0x16 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::SMax)), ATOMIC;
            IMAGE_ATOMIC_UMAX [Mimg 0x17 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::UMax)), ATOMIC;
            IMAGE_ATOMIC_AND [Mimg 0x18 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::And)), ATOMIC;
            IMAGE_ATOMIC_OR [Mimg 0x19 ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Or)), ATOMIC;
            IMAGE_ATOMIC_XOR [Mimg 0x1a ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Xor)), ATOMIC;
            IMAGE_ATOMIC_INC [Mimg 0x1b ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Inc)), ATOMIC;
            IMAGE_ATOMIC_DEC [Mimg 0x1c ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::Dec)), ATOMIC;
            IMAGE_ATOMIC_FCMPSWAP [Mimg 0x1d ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::FCmpSwap)), ATOMIC;
            IMAGE_ATOMIC_FMIN [Mimg 0x1e ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::FMin)), ATOMIC;
            IMAGE_ATOMIC_FMAX [Mimg 0x1f ALL] (vdata_glc(Data), vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Atomic(AtomicOp::FMax)), ATOMIC;
            IMAGE_SAMPLE [Mimg 0x20 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, false, false, false))), LOAD;
            IMAGE_SAMPLE_CL [Mimg 0x21 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, true, false, false))), LOAD;
            IMAGE_SAMPLE_D [Mimg 0x22 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives, false, false, false))), LOAD;
            IMAGE_SAMPLE_D_CL [Mimg 0x23 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives, true, false, false))), LOAD;
            IMAGE_SAMPLE_L [Mimg 0x24 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Level, false, false, false))), LOAD;
            IMAGE_SAMPLE_B [Mimg 0x25 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, false, false, false))), LOAD;
            IMAGE_SAMPLE_B_CL [Mimg 0x26 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, true, false, false))), LOAD;
            IMAGE_SAMPLE_LZ [Mimg 0x27 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Zero, false, false, false))), LOAD;
            IMAGE_SAMPLE_C [Mimg 0x28 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_CL [Mimg 0x29 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_D [Mimg 0x2a ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_D_CL [Mimg 0x2b ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_L [Mimg 0x2c ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Level, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_B [Mimg 0x2d ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_B_CL [Mimg 0x2e ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_LZ [Mimg 0x2f ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Zero, false, false, false))), LOAD;
            IMAGE_SAMPLE_O [Mimg 0x30 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, false, true, false))), LOAD;
            IMAGE_SAMPLE_CL_O [Mimg 0x31 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, true, true, false))), LOAD;
            IMAGE_SAMPLE_D_O [Mimg 0x32 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives, false, true, false))), LOAD;
            IMAGE_SAMPLE_D_CL_O [Mimg 0x33 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives, true, true, false))), LOAD;
            IMAGE_SAMPLE_L_O [Mimg 0x34 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Level, false, true, false))), LOAD;
            IMAGE_SAMPLE_B_O [Mimg 0x35 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, false, true, false))), LOAD;
            IMAGE_SAMPLE_B_CL_O [Mimg 0x36 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, true, true, false))), LOAD;
            IMAGE_SAMPLE_LZ_O [Mimg 0x37 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Zero, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_O [Mimg 0x38 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_CL_O [Mimg 0x39 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_D_O [Mimg 0x3a ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_D_CL_O [Mimg 0x3b ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_L_O [Mimg 0x3c ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Level, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_B_O [Mimg 0x3d ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_B_CL_O [Mimg 0x3e ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_LZ_O [Mimg 0x3f ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Zero, false, true, false))), LOAD;
            IMAGE_GATHER4 [Mimg 0x40 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Implicit, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_CL [Mimg 0x41 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Implicit, true, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_L [Mimg 0x44 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Level, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_B [Mimg 0x45 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Bias, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_B_CL [Mimg 0x46 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Bias, true, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_LZ [Mimg 0x47 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Zero, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C [Mimg 0x48 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Implicit, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_CL [Mimg 0x49 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Implicit, true, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_L [Mimg 0x4c ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Level, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_B [Mimg 0x4d ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Bias, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_B_CL [Mimg 0x4e ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Bias, true, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_LZ [Mimg 0x4f ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Zero, false, false, false))), LOAD | GATHER;
            IMAGE_GATHER4_O [Mimg 0x50 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Implicit, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_CL_O [Mimg 0x51 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Implicit, true, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_L_O [Mimg 0x54 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Level, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_B_O [Mimg 0x55 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Bias, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_B_CL_O [Mimg 0x56 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Bias, true, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_LZ_O [Mimg 0x57 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(false, SampleLod::Zero, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_O [Mimg 0x58 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Implicit, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_CL_O [Mimg 0x59 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Implicit, true, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_L_O [Mimg 0x5c ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Level, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_B_O [Mimg 0x5d ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Bias, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_B_CL_O [Mimg 0x5e ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Bias, true, true, false))), LOAD | GATHER;
            IMAGE_GATHER4_C_LZ_O [Mimg 0x5f ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Gather4(sample_mods(true, SampleLod::Zero, false, true, false))), LOAD | GATHER;
            IMAGE_GATHER4H [Mimg 0x61 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::GatherH { n: 4, pck: false }), LOAD | GATHER;
            IMAGE_SAMPLE_CD [Mimg 0x68 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse, false, false, false))), LOAD;
            IMAGE_SAMPLE_CD_CL [Mimg 0x69 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_CD [Mimg 0x6a ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_CD_CL [Mimg 0x6b ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse, true, false, false))), LOAD;
            IMAGE_SAMPLE_CD_O [Mimg 0x6c ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse, false, true, false))), LOAD;
            IMAGE_SAMPLE_CD_CL_O [Mimg 0x6d ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_CD_O [Mimg 0x6e ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_CD_CL_O [Mimg 0x6f ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse, true, true, false))), LOAD;
            IMAGE_SAMPLE_D_G16 [Mimg 0xa2 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives16, false, false, false))), LOAD;
            IMAGE_SAMPLE_D_CL_G16 [Mimg 0xa3 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives16, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_D_G16 [Mimg 0xaa ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives16, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_D_CL_G16 [Mimg 0xab ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives16, true, false, false))), LOAD;
            IMAGE_SAMPLE_D_O_G16 [Mimg 0xb2 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives16, false, true, false))), LOAD;
            IMAGE_SAMPLE_D_CL_O_G16 [Mimg 0xb3 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Derivatives16, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_D_O_G16 [Mimg 0xba ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives16, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_D_CL_O_G16 [Mimg 0xbb ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Derivatives16, true, true, false))), LOAD;
            IMAGE_SAMPLE_CD_G16 [Mimg 0xe8 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse16, false, false, false))), LOAD;
            IMAGE_SAMPLE_CD_CL_G16 [Mimg 0xe9 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse16, true, false, false))), LOAD;
            IMAGE_SAMPLE_C_CD_G16 [Mimg 0xea ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse16, false, false, false))), LOAD;
            IMAGE_SAMPLE_C_CD_CL_G16 [Mimg 0xeb ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse16, true, false, false))), LOAD;
            IMAGE_SAMPLE_CD_O_G16 [Mimg 0xec ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse16, false, true, false))), LOAD;
            IMAGE_SAMPLE_CD_CL_O_G16 [Mimg 0xed ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Coarse16, true, true, false))), LOAD;
            IMAGE_SAMPLE_C_CD_O_G16 [Mimg 0xee ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse16, false, true, false))), LOAD;
            IMAGE_SAMPLE_C_CD_CL_O_G16 [Mimg 0xef ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Coarse16, true, true, false))), LOAD;
            IMAGE_GET_LOD [Mimg 0x60 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::GetLod), NONE;
            IMAGE_MSAA_LOAD [Mimg 0x80 BVH] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::MsaaLoad), LOAD | GATHER;
            IMAGE_BVH_INTERSECT_RAY [Mimg 0xe6 BVH] (vdata(B128), image_addr(), srsrc(B128))
                img(Image::BvhIntersect(W32)), LOAD | BVH_RAY;
            IMAGE_BVH64_INTERSECT_RAY [Mimg 0xe7 BVH] (vdata(B128), image_addr(), srsrc(B128))
                img(Image::BvhIntersect(W64)), LOAD | BVH_RAY;

            // Opcodes of console code and of AMD's XML that LLVM lacks: behind `DecodeOptions::overlay`.
            IMAGE_SAMPLE_A [Mimg 0xa0 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, false, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_CL_A [Mimg 0xa1 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, true, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_B_A [Mimg 0xa5 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, false, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_B_CL_A [Mimg 0xa6 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, true, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_A [Mimg 0xa8 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, false, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_CL_A [Mimg 0xa9 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, true, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_B_A [Mimg 0xad ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, false, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_B_CL_A [Mimg 0xae ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, true, false, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_O_A [Mimg 0xb0 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, false, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_CL_O_A [Mimg 0xb1 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Implicit, true, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_B_O_A [Mimg 0xb5 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, false, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_B_CL_O_A [Mimg 0xb6 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(false, SampleLod::Bias, true, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_O_A [Mimg 0xb8 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, false, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_CL_O_A [Mimg 0xb9 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Implicit, true, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_B_O_A [Mimg 0xbd ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, false, true, true))), LOAD | OVERLAY;
            IMAGE_SAMPLE_C_B_CL_O_A [Mimg 0xbe ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::Sample(sample_mods(true, SampleLod::Bias, true, true, true))), LOAD | OVERLAY;
            IMAGE_LOAD_BY2 [Mimg 0x42 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: false, pck: false, n: 2 }), LOAD | OVERLAY;
            IMAGE_LOAD_BY4 [Mimg 0x43 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: false, pck: false, n: 4 }), LOAD | OVERLAY;
            IMAGE_LOAD_MIP_BY2 [Mimg 0x4a ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: true, pck: false, n: 2 }), LOAD | OVERLAY;
            IMAGE_LOAD_MIP_BY4 [Mimg 0x4b ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: true, pck: false, n: 4 }), LOAD | OVERLAY;
            IMAGE_STORE_BY2 [Mimg 0x52 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: false, pck: false, n: 2 }), STORE | OVERLAY;
            IMAGE_STORE_BY4 [Mimg 0x53 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: false, pck: false, n: 4 }), STORE | OVERLAY;
            IMAGE_STORE_MIP_BY2 [Mimg 0x5a ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: true, pck: false, n: 2 }), STORE | OVERLAY;
            IMAGE_STORE_MIP_BY4 [Mimg 0x5b ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: true, pck: false, n: 4 }), STORE | OVERLAY;
            IMAGE_GATHER4H_PCK [Mimg 0x62 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::GatherH { n: 4, pck: true }), LOAD | GATHER | OVERLAY;
            IMAGE_GATHER8H_PCK [Mimg 0x63 ALL] (vdata(Data), image_addr(), srsrc(B256), ssamp(B128))
                img(Image::GatherH { n: 8, pck: true }), LOAD | GATHER | OVERLAY;
            IMAGE_LOAD_PCK2 [Mimg 0x70 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: false, pck: true, n: 2 }), LOAD | OVERLAY;
            IMAGE_LOAD_PCK4 [Mimg 0x71 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: false, pck: true, n: 4 }), LOAD | OVERLAY;
            IMAGE_LOAD_MIP_PCK2 [Mimg 0x73 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: true, pck: true, n: 2 }), LOAD | OVERLAY;
            IMAGE_LOAD_MIP_PCK4 [Mimg 0x74 ALL] (vdata(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: false, mip: true, pck: true, n: 4 }), LOAD | OVERLAY;
            IMAGE_STORE_PCK2 [Mimg 0x76 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: false, pck: true, n: 2 }), STORE | OVERLAY;
            IMAGE_STORE_PCK4 [Mimg 0x77 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: false, pck: true, n: 4 }), STORE | OVERLAY;
            IMAGE_STORE_MIP_PCK2 [Mimg 0x79 ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: true, pck: true, n: 2 }), STORE | OVERLAY;
            IMAGE_STORE_MIP_PCK4 [Mimg 0x7a ALL] (vdata_in(Data), image_addr(), srsrc(B256))
                img(Image::Block { store: true, mip: true, pck: true, n: 4 }), STORE | OVERLAY;
        } }
    };
}
pub(super) use mimg_rows;
